// /sign-in/second-step/: after the password, people who have turned on the second factor show a passkey or a recovery
// code.

import type { SecondFactorNeeded } from '#common/errors.ts';
import { readFields } from '#rest/fields.ts';
import type { PreparedResponse } from '#rest/prepared-response.ts';
import { buildServerCookie, readServerCookie } from '#rest/server-cookie.ts';
import type { SignedInAccount } from '../../../core/accounts/sessions.ts';
import { ErrorSummary, Form, FormFields } from '../../../core/pages/layout/form.tsx';
import { FormPage } from '../../../core/pages/layout/layout.tsx';
import { form, type PageContext, page, parseNextPath, seeOther } from '../../../core/pages/page.ts';
import { loadPasskeys } from '../passkeys/passkey.ts';
import {
  deleteTicketCookie,
  PasskeyForm,
  PasskeysMissing,
  readPasskeyResponse,
  respondWithOptions,
  respondWithProblem,
} from '../passkeys/passkey-form.tsx';
import { passkeyScript } from '../passkeys/script.ts';
import { buildRequestOptions, toRelyingParty } from '../passkeys/webauthn.ts';
import { pendingSeconds } from '../pending-sign-ins.ts';
import { finishWithPasskey, finishWithRecoveryCode, recoveryCodeFields } from './second-factor-sign-in.ts';

const path = '/sign-in/second-step/';
const pendingCookie = 'vitrine_sign_in';

/** The response to a right password. */
export function redirectToSecondFactor(
  { pendingSignIns, origin }: PageContext,
  { account }: SecondFactorNeeded,
  next: string,
): PreparedResponse {
  const value = pendingSignIns.createTicket(account);
  // Lax: the browser may be coming back from another site.
  const cookie = buildServerCookie(pendingCookie, origin, { value, seconds: pendingSeconds }, 'Lax');
  return seeOther(`${path}?${new URLSearchParams({ next })}`, [cookie]);
}

const findPending = ({ database, pendingSignIns, origin, request }: PageContext) =>
  pendingSignIns.find(database, readServerCookie(pendingCookie, origin, request.headers));

const redirectToStart = (next: string) => seeOther(`/sign-in/?${new URLSearchParams({ next })}`);

async function showSecondFactorSignIn(context: PageContext) {
  const { formErrors, url, t } = context;
  const next = parseNextPath(formErrors?.values.next ?? url.query.get('next'));
  if (!(await findPending(context))) return redirectToStart(next);
  return context.render(
    <FormPage title={t('secondFactorSignIn.title')} scripts={[passkeyScript]}>
      <p>{t('secondFactorSignIn.intro')}</p>
      <ErrorSummary formErrors={formErrors} fields={recoveryCodeFields} />
      <PasskeysMissing />
      <PasskeyForm exchange="get" action={`${path}passkey/`} button={t('secondFactorSignIn.usePasskey')}>
        <input type="hidden" name="next" value={next} />
      </PasskeyForm>
      <h2>{t('secondFactorSignIn.noPasskey')}</h2>
      <Form class="stacked-form" action={path}>
        <input type="hidden" name="next" value={next} />
        <FormFields fields={recoveryCodeFields} formErrors={formErrors} />
        <button type="submit">{t('secondFactorSignIn.useCode')}</button>
      </Form>
      <p class="faint">{t('secondFactorSignIn.codesNote')}</p>
    </FormPage>,
  );
}

async function finish(
  { authenticator, origin, request }: PageContext,
  account: SignedInAccount,
): Promise<PreparedResponse> {
  const { cookies } = await authenticator.startSession(request.headers, origin, account);
  const { next } = (await request.readBody()).data;
  const oldCookies = [deleteTicketCookie(origin), buildServerCookie(pendingCookie, origin)];
  return seeOther(parseNextPath(next), [...cookies, ...oldCookies]);
}

export const secondFactorSignInRoutes = [
  page([path, `${path}passkey/`], 'signIn', showSecondFactorSignIn),
  form(path, 'signIn', async (context) => {
    const { data } = await context.request.readBody();
    const account = await findPending(context);
    if (!account) return redirectToStart(parseNextPath(data.next));
    const { code } = readFields(recoveryCodeFields, data);
    await finishWithRecoveryCode(context.accounts, account, code, context.request.client);
    return finish(context, account);
  }),
  form(`${path}passkey/`, 'signIn', async (context) => {
    const account = await findPending(context);
    if (!account) return redirectToStart(parseNextPath((await context.request.readBody()).data.next));
    const { accounts, challenges } = context;
    const response = await readPasskeyResponse(context);
    return finish(context, await finishWithPasskey({ ...accounts, challenges }, account, response));
  }),
  form(`${path}passkey/options/`, 'signIn', async (context) => {
    const account = await findPending(context);
    if (!account) return respondWithProblem(context.t('secondFactorSignIn.tooLong'));
    const challenge = context.challenges.create({ kind: 'secondFactor', contributor: account.id });
    const passkeys = await loadPasskeys(context.database, account.id);
    const options = buildRequestOptions(toRelyingParty(context.origin), challenge.challenge, passkeys);
    return respondWithOptions(context, challenge, options);
  }),
];
