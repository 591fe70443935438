// A form that names somebody by their username, with or without an @.

import { Invalid } from '#common/errors.ts';
import { type TextOptions, textField } from '#rest/fields.ts';
import { type AccountDetails, findAccountByUsername } from '../../accounts/account.ts';
import { contributorLimits } from '../../contributors/contributor.ts';
import type { PageContext } from '../page.ts';

export const usernameField = <Required extends boolean = false>(
  options: Pick<TextOptions<Required>, 'label' | 'help' | 'required' | 'allowsBlank'>,
) => textField<Required>({ ...options, maxLength: contributorLimits.username, isSingleLine: true });

/** Somebody with an account of their own. Nobody learns here whom others look after: the error is the same. */
export async function findNamedPerson(
  { database, t }: PageContext,
  field: string,
  username: string,
): Promise<AccountDetails> {
  const account = await findAccountByUsername(database, username.replace(/^@/, ''));
  if (!account || account.role === null || account.looked_after_by !== null)
    throw new Invalid({ [field]: [t('moderation.nobody')] });
  return account;
}
