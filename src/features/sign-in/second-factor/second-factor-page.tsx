// /account/second-step/: turns the second factor on and off, and makes recovery codes.

import { Forbidden } from '#common/errors.ts';
import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { accountSections } from '../../../core/pages/account-sections.tsx';
import { DateText, SecretNotice } from '../../../core/pages/layout/components.tsx';
import { ErrorSummary, Form, FormFields } from '../../../core/pages/layout/form.tsx';
import { FormPage } from '../../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page, secondFactorPath, seeOther } from '../../../core/pages/page.ts';
import { requireSignedIn } from '../../../core/viewer/viewer.ts';
import { confirmViewer, findConfirmationFields } from '../confirmation.ts';
import { loadPasskeys } from '../passkeys/passkey.ts';
import { toRelyingParty } from '../passkeys/webauthn.ts';
import {
  findSecondFactor,
  renewRecoveryCodes,
  type SecondFactor,
  splitHashes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from './second-factor.ts';

const path = secondFactorPath;

async function confirmOwner(context: PageContext): Promise<number> {
  await confirmViewer(context);
  return requireSignedIn(context.viewer);
}

async function renderSecondFactorPage(context: PageContext, codes?: readonly string[]) {
  const { database, viewer, formErrors, origin, t, rich } = context;
  const contributor = requireSignedIn(viewer);
  const secondFactor = await findSecondFactor(database, contributor);
  const { host } = toRelyingParty(origin);
  const passkeys = await loadPasskeys(database, contributor);
  const fields = await findConfirmationFields(context);
  const needsPasskey = !secondFactor && !passkeys.some((passkey) => passkey.host === host);
  return context.render(
    <FormPage aside={accountSections(context)} title={t('secondFactorSignIn.title')}>
      {codes && <SecretNotice label={t('secondFactor.codes')} secret={codes.join('\n')} />}
      <p>{rich('secondFactor.intro', { link: passkeysLink })}</p>
      {viewer.lacksSecondFactor && !secondFactor && <p class="notice">{t('secondFactor.required')}</p>}
      <ErrorSummary formErrors={formErrors} fields={fields} />
      {secondFactor && <State secondFactor={secondFactor} />}
      {needsPasskey ? (
        <p>{rich('secondFactor.off', { link: passkeysLink })}</p>
      ) : (
        <Form class="stacked-form" action={path}>
          <FormFields fields={fields} formErrors={formErrors} />
          <Buttons isOn={secondFactor !== undefined} />
        </Form>
      )}
    </FormPage>,
  );
}

const passkeysLink = (text: Child) => <a href="/account/passkeys/">{text}</a>;

function State({ secondFactor: { created, recovery_codes } }: { secondFactor: SecondFactor }) {
  const count = splitHashes(recovery_codes).length;
  return <p>{useLanguage().rich('secondFactor.on', { date: <DateText instant={created} />, count })}</p>;
}

function Buttons({ isOn }: { isOn: boolean }) {
  const { t } = useLanguage();
  if (!isOn)
    return (
      <>
        <p>{t('secondFactor.turnOnNote')}</p>
        <button type="submit">{t('secondFactor.turnOn')}</button>
      </>
    );
  return (
    <p class="buttons">
      <button type="submit" formaction={`${path}codes/`}>
        {t('secondFactor.newCodes')}
      </button>
      <button class="danger" type="submit" formaction={`${path}off/`}>
        {t('secondFactor.turnOff')}
      </button>
    </p>
  );
}

export const secondFactorRoutes = [
  page([path, `${path}codes/`, `${path}off/`], 'changeAccount', renderSecondFactorPage),
  form(path, 'changeAccount', async (context) => {
    const { viewer, origin } = context;
    const contributor = await confirmOwner(context);
    if (viewer.credential?.kind !== 'session') throw new Forbidden();
    const owner = { contributor, session: viewer.credential.id };
    const codes = await turnOnSecondFactor(context.database, owner, toRelyingParty(origin).host);
    return renderSecondFactorPage(context, codes);
  }),
  form(`${path}codes/`, 'changeAccount', async (context) => {
    const codes = await renewRecoveryCodes(context.database, await confirmOwner(context));
    return renderSecondFactorPage(context, codes);
  }),
  form(`${path}off/`, 'changeAccount', async (context) => {
    await turnOffSecondFactor(context.database, await confirmOwner(context));
    return seeOther(path);
  }),
];
