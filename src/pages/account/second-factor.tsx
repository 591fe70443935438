// /account/second-step/: turns the second factor on and off, and makes recovery codes.

import { Forbidden } from '../../common/errors.ts';
import { loadPasskeys } from '../../gallery/sign-in/passkey.ts';
import {
  findSecondFactor,
  renewRecoveryCodes,
  type SecondFactor,
  splitHashes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../../gallery/sign-in/second-factor.ts';
import { toRelyingParty } from '../../gallery/sign-in/webauthn.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { DateText, SecretNotice } from '../layout/components.tsx';
import { ErrorSummary, Form, FormFields } from '../layout/form.tsx';
import { FormPage } from '../layout/layout.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { form, type PageContext, page, secondFactorPath, seeOther } from '../page.ts';
import { confirmViewer, findConfirmationFields } from './confirmation.ts';
import { accountSections } from './sections.tsx';

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
