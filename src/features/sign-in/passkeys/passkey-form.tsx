// The form of a passkey. The script of the page shows it where the browser knows passkeys, and adds the field
// `credential`.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { type PreparedResponse, prepareResponse, withHeaders } from '#rest/prepared-response.ts';
import { buildServerCookie, readServerCookie } from '#rest/server-cookie.ts';
import { Form } from '../../../core/pages/layout/form.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import {
  form,
  type PageContext,
  parseNextPath,
  secondFactorPath,
  seeOther,
} from '../../../core/pages/page.ts';
import { lacksSecondFactor } from '../second-factor/second-factor.ts';
import { challengeSeconds, type NewChallenge } from './challenges.ts';
import { type PasskeyResponse, signInWithPasskey } from './passkey-sign-in.ts';
import { buildRequestOptions, toRelyingParty } from './webauthn.ts';

interface PasskeyFormProps {
  /** Makes a passkey, or signs in with one. */
  readonly exchange: 'create' | 'get';
  readonly action: string;
  readonly button: string;
  readonly children?: Child;
}

export function PasskeyForm({ exchange, action, button, children }: PasskeyFormProps) {
  const { t } = useLanguage();
  return (
    <div class="passkey-part">
      <Form
        class="stacked-form"
        action={action}
        data-passkey={exchange}
        data-options={`${action}options/`}
        data-canceled={t('passkeys.canceled')}
        data-exists={t('passkeys.exists')}
        data-wrong-address={t('passkeys.wrongAddress')}
        data-too-many={t('passkeys.tooMany')}
        data-failed={t('passkeys.failed')}
      >
        {children}
        <button class={exchange === 'get' ? 'quiet' : undefined} type="submit">
          {button}
        </button>
      </Form>
    </div>
  );
}

/** For browsers that do not show the form. */
export function PasskeysMissing() {
  const text = useLanguage().t('passkeys.missing');
  return (
    <>
      <noscript>
        <p class="faint">{text}</p>
      </noscript>
      <p class="passkey-missing faint" hidden>
        {text}
      </p>
    </>
  );
}

const ticketCookie = 'vitrine_passkey';

/** The options for the script, and the ticket of their challenge for the browser. */
export function respondWithOptions(
  { origin }: PageContext,
  { ticket }: NewChallenge,
  options: object,
): PreparedResponse {
  const cookie = buildServerCookie(ticketCookie, origin, { value: ticket, seconds: challengeSeconds });
  return withHeaders(prepareJson(200, options), {}, [cookie]);
}

export function respondWithProblem(detail: string): PreparedResponse {
  return prepareJson(400, { detail });
}

function prepareJson(status: number, data: object): PreparedResponse {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return prepareResponse(status, headers, JSON.stringify(data));
}

export async function readPasskeyResponse({ origin, request }: PageContext): Promise<PasskeyResponse> {
  const { credential } = (await request.readBody()).data;
  const ticket = readServerCookie(ticketCookie, origin, request.headers);
  return { party: toRelyingParty(origin), ticket, field: credential, client: request.client };
}

export function deleteTicketCookie(origin: string): string {
  return buildServerCookie(ticketCookie, origin);
}

/** Signing in with a passkey, from the button on /sign-in/. */
export const passkeyFormRoutes = [
  form('/sign-in/passkey/', 'signIn', async (context) => {
    const { accounts, challenges, authenticator, request, origin } = context;
    const account = await signInWithPasskey({ ...accounts, challenges }, await readPasskeyResponse(context));
    const { cookies } = await authenticator.startSession(request.headers, origin, account);
    const { next } = (await request.readBody()).data;
    const mustSetUp = await lacksSecondFactor(accounts, accounts.database, account.id);
    return seeOther(mustSetUp ? secondFactorPath : parseNextPath(next), [
      ...cookies,
      deleteTicketCookie(origin),
    ]);
  }),
  form('/sign-in/passkey/options/', 'signIn', async (context) => {
    const { challenges } = context;
    const challenge = challenges.create({ kind: 'signIn' });
    const options = buildRequestOptions(toRelyingParty(context.origin), challenge.challenge);
    return respondWithOptions(context, challenge, options);
  }),
];
