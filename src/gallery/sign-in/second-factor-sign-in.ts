// The second step of signing in, after the password.

import { apiText } from '../../common/api-text.ts';
import { Invalid, TooManyRequests } from '../../common/errors.ts';
import { type Fields, textField } from '../../common/fields.ts';
import { reportAccountEvent } from '../account-events.ts';
import type { SignedInAccount } from '../accounts/sessions.ts';
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
  address: string,
): Promise<void> {
  const report = (event: string) => reportAccountEvent(database, { event, actor: null, contributor });
  try {
    const attempt = await attempts.begin(`recovery\n${contributor}`, address);
    if (!(await useRecoveryCode(database, contributor, code))) {
      report('recovery code wrong');
      throw new Invalid({ code: [apiText('recoveryCodeWrong')] });
    }
    await attempts.succeed(attempt);
  } catch (error) {
    if (error instanceof TooManyRequests) report('recovery code refused');
    throw error;
  }
  reportAccountEvent(database, { event: 'signed in', actor: contributor, contributor });
}
