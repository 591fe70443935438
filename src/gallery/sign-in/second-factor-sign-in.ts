// The second factor of signing in, after the password.

import { apiText } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import { type Fields, textField } from '../../common/fields.ts';
import { isSameSecret, sign } from '../../common/signature.ts';
import type { Reader } from '../../database/database.ts';
import { reportAccountEvent, reportFailures } from '../account-events.ts';
import { findAccount } from '../accounts/account.ts';
import type { SignedInAccount } from '../accounts/sessions.ts';
import type { Client } from '../accounts/sign-in-attempts.ts';
import { microsecondsPerSecond, now } from '../instant.ts';
import { checkPasskey, type PasskeyDependencies, type PasskeyResponse } from './passkey-sign-in.ts';
import { useRecoveryCode } from './second-factor.ts';
import type { SignInDependencies } from './sign-in.ts';

export const recoveryCodeFields = {
  code: textField({
    label: apiText('recoveryCode'),
    required: true,
    maxLength: 100,
    isSingleLine: true,
    autocomplete: 'one-time-code',
  }),
} satisfies Fields;

export async function finishWithPasskey(
  deps: PasskeyDependencies,
  account: SignedInAccount,
  response: PasskeyResponse,
): Promise<SignedInAccount> {
  const contributor = account.id;
  const passkey = await checkPasskey(deps, { kind: 'secondFactor', contributor }, response);
  reportAccountEvent(deps.database, { event: 'signed in', actor: contributor, contributor });
  return { ...account, passkey: passkey.id };
}

export async function finishWithRecoveryCode(
  { database, attempts }: SignInDependencies,
  { id: contributor }: SignedInAccount,
  code: string,
  client: Client,
): Promise<void> {
  const attempt = await reportFailures(database, contributor, 'recovery code', async () => {
    const begun = await attempts.begin({ name: `recovery\n${contributor}`, contributor, client });
    return (await useRecoveryCode(database, contributor, code)) ? begun : undefined;
  });
  if (!attempt) throw new Invalid({ code: [apiText('recoveryCodeWrong')] });
  await attempts.succeed(attempt);
  reportAccountEvent(database, { event: 'signed in', actor: contributor, contributor });
}

// A sign-in whose password was right and whose second factor is still to come. The browser keeps it in a signed ticket,
// which is of no use once the password has changed.

export const pendingSeconds = 10 * 60;

export class PendingSignIns {
  constructor(private readonly secret: string) {}

  createTicket({ id, passwordHash = '' }: SignedInAccount): string {
    const expires = String(now() + pendingSeconds * microsecondsPerSecond);
    return [id, expires, this.#sign(String(id), expires, passwordHash)].join('.');
  }

  /** The account of a valid ticket. */
  async find(reader: Reader, ticket = ''): Promise<SignedInAccount | undefined> {
    const [id = '', expires = '', signature = ''] = ticket.split('.');
    if (!/^\d{1,15}$/.test(id) || !(Number(expires) > now())) return undefined;
    const account = await findAccount(reader, Number(id));
    if (!account?.password || account.disabled !== null) return undefined;
    if (!isSameSecret(signature, this.#sign(id, expires, account.password))) return undefined;
    return { id: account.id, passwordHash: account.password, hasSecondFactor: true };
  }

  #sign(...parts: string[]): string {
    return sign(this.secret, 'pending', ...parts);
  }
}
