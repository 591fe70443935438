// An account lets a contributor sign in. An imported contributor may have none.

import sql, { join } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { NotFound, NotSignedIn } from '#common/errors.ts';
import {
  all,
  first,
  integer,
  nullable,
  omit,
  pick,
  type Reader,
  type RowOf,
  type Transaction,
  text,
} from '#sql';
import { avatarOfContributor, fullContributorColumns, usernameKey } from '../contributors/contributor.ts';
import type { Role } from '../viewer/viewer.ts';
import { accountTable, apiKeyTable } from './tables.ts';

export const accountColumns = { ...accountTable.columns, role: accountTable.columns.role.narrow<Role>() };

/** All but the hash. */
export const keyColumns = omit(apiKeyTable.columns, 'hash');

const columns = {
  ...fullContributorColumns,
  role: nullable(
    text(sql`(select role from account where contributor = contributor.id)`),
  ).narrow<Role | null>(),
  password: nullable(text(sql`(select password from account where contributor = contributor.id)`)),
  disabled: nullable(integer(sql`(select disabled from account where contributor = contributor.id)`)),
  looked_after_by: nullable(
    integer(sql`(select looked_after_by from account where contributor = contributor.id)`),
  ),
  trusted: nullable(integer(sql`(select trusted from account where contributor = contributor.id)`)),
  avatar: avatarOfContributor('contributor.id', 'smallest'),
};

/**
 * A contributor with the columns of their account, which are null if there is no account. The password is its hash, and
 * null for an account that uses keys only.
 */
export type AccountDetails = RowOf<typeof columns>;
export type Account = AccountDetails & { readonly role: Role };

/** The exact name wins; otherwise the name without case, if only one contributor has it. */
export async function findAccountByUsername(reader: Reader, username: string) {
  const exactMatch = await first(reader, columns)`from contributor where username = ${username}`;
  if (exactMatch) return exactMatch;
  const [match, ...more] = await all(reader, columns)`from contributor
    where username_key = ${usernameKey(username)} limit 2`;
  return more.length ? undefined : match;
}

export async function loadAccounts(
  reader: Reader,
  contributors: readonly number[],
): Promise<Map<number, AccountDetails>> {
  if (contributors.length === 0) return new Map();
  const rows = await all(reader, columns)`from contributor where id in (${join([...new Set(contributors)])})`;
  return new Map(rows.map((row) => [row.id, row]));
}

export const findAccount = (reader: Reader, contributor: number): Promise<AccountDetails | undefined> =>
  first(reader, columns)`from contributor where id = ${contributor}`;

/** Throws NotFound if the contributor has no account: an imported one may have none. */
export async function requireAccount(reader: Reader, contributor: number): Promise<Account> {
  const account = await findAccount(reader, contributor);
  if (!account || account.role === null) throw new NotFound();
  return { ...account, role: account.role };
}

const lockedColumns = pick(accountTable.columns, 'password', 'disabled');

/** Other changes of the account, and other writes of the contributor, wait until the commit. */
export function lockAccount(transaction: Transaction, contributor: number) {
  return first(transaction, lockedColumns)`from account
    where contributor = ${contributor} ${transaction.forUpdate}`;
}

const passwordColumn = pick(accountTable.columns, 'password');

/** Throws if the password has changed since it was checked: nothing that it made may outlive it. */
export async function requireSamePassword(
  transaction: Transaction,
  contributor: number,
  passwordHash: string,
): Promise<void> {
  const account = await first(transaction, passwordColumn)`from account
    where contributor = ${contributor} and disabled is null ${transaction.forShare}`;
  if (account?.password !== passwordHash) throw new NotSignedIn(apiText('passwordChanged'));
}
