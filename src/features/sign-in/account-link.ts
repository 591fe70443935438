// Links that set the password of an account or confirm its address. A link has a secret, of which only a hash is stored.
// The hash is also of what the link depends on, such as the password so far: the link ends with the next change of that.

import { join } from 'sql-template-tag';
import { execute, first, type Reader, type Row, type Transaction } from '#sql';
import { hashSecret, newSecret } from '../../core/accounts/secret.ts';
import { accountLinkTable } from '../../core/accounts/tables.ts';
import { now } from '../../core/instant.ts';

type AccountLink = Row<typeof accountLinkTable>;

/** The purpose of a link, and what it depends on. */
export type LinkTerms = readonly ['password' | 'mailed password' | 'email', ...(string | null)[]];

const hashLink = (contributor: number, secret: string, terms: LinkTerms): string =>
  hashSecret(['account link', contributor, secret, ...terms].join('\n'));

/** Returns the code in the link's address. `created_by` is null for the operator and for links that are mailed. */
export async function createLink(
  transaction: Transaction,
  link: Omit<AccountLink, 'hash'>,
  terms: LinkTerms,
): Promise<string> {
  const secret = newSecret();
  const hash = hashLink(link.contributor, secret, terms);
  await transaction.insert(accountLinkTable, [{ hash, ...link }]);
  return `${link.contributor}.${secret}`;
}

/** The contributor whose link the code is; undefined if it is no code. */
export function parseLinkCode(code: string): { contributor: number; secret: string } | undefined {
  const [, id, secret = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(code) ?? [];
  return id === undefined ? undefined : { contributor: Number(id), secret };
}

/** The link of the code, if it was made on one of these terms and has not ended. */
export function findLink(
  reader: Reader,
  { contributor, secret }: { readonly contributor: number; readonly secret: string },
  ...terms: readonly LinkTerms[]
): Promise<AccountLink | undefined> {
  const hashes = join(terms.map((terms) => hashLink(contributor, secret, terms)));
  return first(reader, accountLinkTable.columns)`from account_link
    where hash in (${hashes}) and expires > ${now()}`;
}

export const deleteLink = (transaction: Transaction, { hash }: AccountLink): Promise<void> =>
  execute(transaction)`delete from account_link where hash = ${hash}`;
