// Signing in with a passkey. All failures get the same response.

import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { findAccount } from '../../../core/accounts/account.ts';
import { reportAccountEvent, reportFailures } from '../../../core/accounts/account-events.ts';
import type { SignInDependencies } from '../../../core/accounts/dependencies.ts';
import type { SignedInAccount } from '../../../core/accounts/sessions.ts';
import type { Client } from '../../../core/accounts/sign-in-attempts.ts';
import type { ChallengePurpose, Challenges } from './challenges.ts';
import { findPasskey, type Passkey, recordUse } from './passkey.ts';
import { type Assertion, parseAssertion, type RelyingParty, verifyAssertion } from './webauthn.ts';

export interface PasskeyDependencies extends SignInDependencies {
  readonly challenges: Challenges;
}

/** The answer of the browser: the cookie with the ticket of the challenge, and the form field. */
export interface PasskeyResponse {
  readonly party: RelyingParty;
  readonly ticket: string | undefined;
  readonly field: unknown;
  readonly client: Client;
}

export const passkeyProblem = apiText('passkeyProblem');

export async function signInWithPasskey(
  deps: PasskeyDependencies,
  response: PasskeyResponse,
): Promise<SignedInAccount> {
  const { contributor, id } = await checkPasskey(deps, { kind: 'signIn' }, response);
  reportAccountEvent(deps.database, { event: 'signed in', actor: contributor, contributor });
  return { id: contributor, passkey: id };
}

/** The passkey belongs to the contributor of the purpose, if it has one. A wrong or refused one is logged. */
export async function checkPasskey(
  deps: PasskeyDependencies,
  purpose: ChallengePurpose,
  response: PasskeyResponse,
): Promise<Passkey> {
  const assertion = parseAssertion(response.field);
  const passkey = assertion && (await findPasskey(deps.database, assertion.id, response.party.host));
  const contributor = passkey?.contributor;
  const checked = await reportFailures(deps.database, contributor ?? null, 'passkey', async () => {
    // Counted apart from passwords, so that failures with one do not lock out the other.
    const name = `passkey\n${contributor ?? ''}`;
    const attempt = await deps.attempts.begin({ name, contributor, client: response.client });
    if (!assertion || !passkey || !(await verify(deps, purpose, response, { assertion, passkey })))
      return undefined;
    await deps.attempts.succeed(attempt);
    return passkey;
  });
  if (!checked) throw new Invalid({ non_field_errors: [passkeyProblem] });
  return checked;
}

async function verify(
  { database, challenges }: PasskeyDependencies,
  purpose: ChallengePurpose,
  { party, ticket }: PasskeyResponse,
  { assertion, passkey }: { readonly assertion: Assertion; readonly passkey: Passkey },
): Promise<boolean> {
  const challenge = await challenges.use(purpose, ticket);
  if (challenge === undefined) return false;
  if ('contributor' in purpose && purpose.contributor !== passkey.contributor) return false;
  const account = await findAccount(database, passkey.contributor);
  if (!account?.role || account.disabled !== null) return false;
  const counter = await verifyAssertion(party, challenge, passkey, assertion);
  return counter !== undefined && recordUse(database, passkey.id, counter);
}
