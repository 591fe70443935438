// The second factor of signing in, after the password.

import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { type Fields, textField } from '#rest/fields.ts';
import { reportAccountEvent, reportFailures } from '../../../core/accounts/account-events.ts';
import type { SignInDependencies } from '../../../core/accounts/dependencies.ts';
import type { SignedInAccount } from '../../../core/accounts/sessions.ts';
import type { Client } from '../../../core/accounts/sign-in-attempts.ts';
import { checkPasskey, type PasskeyDependencies, type PasskeyResponse } from '../passkeys/passkey-sign-in.ts';
import { useRecoveryCode } from './second-factor.ts';

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
