// /account/second-step/: turns the second factor on and off, and makes recovery codes.

import { Forbidden } from '../../errors.ts';
import { confirmIdentity } from '../../gallery/passkeys/confirm-identity.ts';
import { loadPasskeys } from '../../gallery/passkeys/passkey.ts';
import {
  findSecondFactor,
  renewRecoveryCodes,
  type SecondFactor,
  splitHashes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from '../../gallery/passkeys/second-factor.ts';
import { toRelyingParty } from '../../gallery/passkeys/webauthn.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { DateText } from '../dates.tsx';
import { CsrfField, ErrorSummary, FormFields } from '../form.tsx';
import { renderPage } from '../layout.tsx';
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
  await confirmIdentity(accounts, viewer, (await request.readBody()).data, request.clientAddress);
  return requireSignedIn(viewer);
}

async function renderSecondFactorPage(
  { database }: PageDependencies,
  context: PageContext,
  codes: readonly string[] | undefined,
) {
  const { layout, viewer, formErrors, origin } = context;
  authorizeAny(viewer, 'changeAccount');
  const contributor = requireSignedIn(viewer);
  const secondFactor = await findSecondFactor(database, contributor);
  const { host } = toRelyingParty(origin);
  const passkeys = await loadPasskeys(database, contributor);
  const fields = await findConfirmationFields(database, context);
  const needsPasskey = !secondFactor && !passkeys.some((passkey) => passkey.host === host);
  return renderPage(layout, {
    title: 'Two-step sign-in',
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>Two-step sign-in</h1>
        {codes && <NewCodes codes={codes} />}
        <p>
          With two-step sign-in, your password alone is not enough: you also need a{' '}
          <a href="/account/passkeys/">passkey</a> or a recovery code.
        </p>
        {viewer.lacksSecondFactor && !secondFactor && (
          <p class="notice">
            Moderators on this site need two-step sign-in. Until you turn it on, you can only do what everyone
            can.
          </p>
        )}
        <ErrorSummary formErrors={formErrors} fields={fields} />
        {secondFactor && <State secondFactor={secondFactor} />}
        {needsPasskey ? (
          <p>
            It’s off. To turn it on, <a href="/account/passkeys/">create a passkey</a> first.
          </p>
        ) : (
          <form class="stacked-form" method="post" action={path}>
            <CsrfField />
            <FormFields fields={fields} formErrors={formErrors} />
            <Buttons isOn={secondFactor !== undefined} />
          </form>
        )}
      </div>
    ),
  });
}

function NewCodes({ codes }: { codes: readonly string[] }) {
  return (
    <div class="notice" role="status">
      <p>
        These are your recovery codes, for when you don’t have your passkey. Print them or write them down:
        they are shown only once. Each code works once.
      </p>
      <pre class="secret">{codes.join('\n')}</pre>
    </div>
  );
}

function State({ secondFactor: { created, recovery_codes } }: { secondFactor: SecondFactor }) {
  const count = splitHashes(recovery_codes).length;
  return (
    <p>
      It has been on since <DateText instant={created} />. You have {count} recovery{' '}
      {count === 1 ? 'code' : 'codes'} left.
    </p>
  );
}

function Buttons({ isOn }: { isOn: boolean }) {
  if (!isOn)
    return (
      <>
        <p>You’ll be signed out everywhere else. You’ll get recovery codes, which are shown only once.</p>
        <button type="submit">Turn on</button>
      </>
    );
  return (
    <p class="buttons">
      <button type="submit" formaction={`${path}codes/`}>
        Create new recovery codes
      </button>
      <button class="danger" type="submit" formaction={`${path}off/`}>
        Turn off
      </button>
    </p>
  );
}
