// /account/second-step/: turns the second factor on and off, and makes recovery codes.

import { Forbidden } from '../../common/errors.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { loadPasskeys } from '../../gallery/sign-in/passkey.ts';
import {
  findSecondFactor,
  renewRecoveryCodes,
  type SecondFactor,
  splitHashes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../../gallery/sign-in/second-factor.ts';
import { confirmIdentity } from '../../gallery/sign-in/sign-in.ts';
import { toRelyingParty } from '../../gallery/sign-in/webauthn.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { DateText } from '../layout/dates.tsx';
import { ErrorSummary, Form, FormFields } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { SecretNotice } from '../layout/links.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { secondFactorPath, seeOther } from '../redirects.ts';
import { findConfirmationFields } from './passkeys.tsx';

const path = secondFactorPath;

export function showSecondFactorPage(deps: PageDependencies, context: PageContext) {
  return renderSecondFactorPage(deps, context, undefined);
}

export async function submitTurnOn(deps: PageDependencies, context: PageContext) {
  const { viewer, origin } = context;
  const contributor = await confirmOwner(deps, context);
  if (viewer.credential?.kind !== 'session') throw new Forbidden();
  const owner = { contributor, session: viewer.credential.id };
  const codes = await turnOnSecondFactor(deps.database, owner, toRelyingParty(origin).host);
  return renderSecondFactorPage(deps, context, codes);
}

export async function submitNewCodes(deps: PageDependencies, context: PageContext) {
  const codes = await renewRecoveryCodes(deps.database, await confirmOwner(deps, context));
  return renderSecondFactorPage(deps, context, codes);
}

export async function submitTurnOff(deps: PageDependencies, context: PageContext) {
  await turnOffSecondFactor(deps.database, await confirmOwner(deps, context));
  return seeOther(path);
}

async function confirmOwner(
  { accounts }: PageDependencies,
  { viewer, request }: PageContext,
): Promise<number> {
  authorizeAny(viewer, 'changeAccount');
  await confirmIdentity(accounts, viewer, (await request.readBody()).data, request.client);
  return requireSignedIn(viewer);
}

async function renderSecondFactorPage(
  { database }: PageDependencies,
  context: PageContext,
  codes: readonly string[] | undefined,
) {
  const { layout, viewer, formErrors, origin } = context;
  const { t, rich } = layout.language;
  authorizeAny(viewer, 'changeAccount');
  const contributor = requireSignedIn(viewer);
  const secondFactor = await findSecondFactor(database, contributor);
  const { host } = toRelyingParty(origin);
  const passkeys = await loadPasskeys(database, contributor);
  const fields = await findConfirmationFields(database, context);
  const needsPasskey = !secondFactor && !passkeys.some((passkey) => passkey.host === host);
  return renderFormPage(context, {
    title: t('secondFactorSignIn.title'),
    children: (
      <>
        {codes && <NewCodes codes={codes} />}
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
      </>
    ),
  });
}

const passkeysLink = (text: Child) => <a href="/account/passkeys/">{text}</a>;

function NewCodes({ codes }: { codes: readonly string[] }) {
  return <SecretNotice label={useLanguage().t('secondFactor.codes')} secret={codes.join('\n')} />;
}

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
