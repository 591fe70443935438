// Lists accounts and keys for the operator.

import sql, { empty, join, type Sql } from 'sql-template-tag';
import { all, type Database, integer, nullable, pick, type Reader, type RowOf, text } from '#sql';
import { columnOfContributor, fullContributorColumns, usernameKey } from '../contributors/contributor.ts';
import type { Order } from '../listing/order.ts';
import { TableListing } from '../listing/table-listing.ts';
import type { Role } from '../viewer/viewer.ts';
import { accountColumns, keyColumns } from './account.ts';

const listedAccountColumns = {
  ...fullContributorColumns,
  ...pick(accountColumns, 'role', 'password', 'disabled'),
  second_factors: integer(sql`(select count(*) from second_factor where contributor = account.contributor)`),
  keys: integer(sql`(select count(*) from api_key where contributor = account.contributor)`),
};

export const listAccounts = (reader: Reader) =>
  all(reader, listedAccountColumns)`from account
    join contributor on id = account.contributor order by id`;

const listedKeyColumns = { ...keyColumns, username: columnOfContributor('username', 'api_key.contributor') };

/** The keys of one contributor, or of all. */
export async function listKeys(reader: Reader, contributor?: number) {
  const condition = contributor === undefined ? empty : sql`where contributor = ${contributor}`;
  const rows = await all(reader, listedKeyColumns)`from api_key ${condition} order by id`;
  return rows.map((row) => ({ ...row, can_write: row.can_write === 1 }));
}

// Lists accounts for moderators, who look for a person by a part of the username or the name.

const foundAccountColumns = {
  ...fullContributorColumns,
  role: text(sql`(select role from account where contributor = contributor.id)`).narrow<Role>(),
  disabled: nullable(integer(sql`(select disabled from account where contributor = contributor.id)`)),
  /** Null if no session is stored; they are deleted some days after the last use. */
  last_used: nullable(integer(sql`(select max(last_used) from session where contributor = contributor.id)`)),
};

export type FoundAccount = RowOf<typeof foundAccountColumns>;

/** The default first. */
export const accountOrders = ['newest', 'username'] as const;

const orders: Readonly<Record<(typeof accountOrders)[number], Order>> = {
  // No index has the time of creation: sorting 100,000 accounts by it takes a second on the last pages.
  newest: [{ column: 'id', descending: true }],
  username: [
    { column: 'username_key', descending: false },
    { column: 'id', descending: false },
  ],
};

/** Further words are left out: each reads all accounts. */
const maxWords = 5;

/** Every word must be in the username or in the full name. */
export function searchAccounts(database: Database, search: string, order: (typeof accountOrders)[number]) {
  const words = search.split(/\s+/).filter(Boolean).slice(0, maxWords);
  const hasAccount = sql`exists (select 1 from account where account.contributor = contributor.id)`;
  const condition = join([hasAccount, ...words.map(hasWord)], ' and ');
  return new TableListing(database, {
    table: 'contributor',
    columns: foundAccountColumns,
    condition,
    order: orders[order],
  });
}

const names = sql`lower(first_name || ' ' || last_name || ' ' || hidden_first_name || ' ' || hidden_last_name)`;

/** SQLite's `lower` leaves letters beyond ASCII as they are: a name may begin with one. */
function hasWord(word: string): Sql {
  const lower = usernameKey(word);
  const capitalized = lower.replace(/^\P{ASCII}/u, (letter) => letter.toUpperCase());
  const patterns = [lower, capitalized].map((part) => `%${part.replace(/[!%_]/g, '!$&')}%`);
  return sql`(username_key like ${patterns[0]} escape '!' or ${names} like ${patterns[0]} escape '!'
    or ${names} like ${patterns[1]} escape '!')`;
}
