// Lists accounts and keys for the operator.

import sql, { empty } from 'sql-template-tag';
import { integer, pick } from '../../database/columns.ts';
import type { Reader } from '../../database/database.ts';
import { all } from '../../database/query.ts';
import { columnOfContributor } from '../contributors/columns.ts';
import { fullContributorColumns } from '../contributors/shown-name.ts';
import { type Account, accountColumns, keyColumns } from './account.ts';
import type { ApiKey } from './keys.ts';

type ListedAccount = Account & { readonly keys: number; readonly second_factors: number };

const listedAccountColumns = {
  ...fullContributorColumns,
  ...pick(accountColumns, 'role', 'password', 'disabled'),
  second_factors: integer(sql`(select count(*) from second_factor where contributor = account.contributor)`),
  keys: integer(sql`(select count(*) from api_key where contributor = account.contributor)`),
};

export function listAccounts(reader: Reader): Promise<ListedAccount[]> {
  return all(reader, listedAccountColumns)`from account
    join contributor on id = account.contributor order by id`;
}

type ListedKey = ApiKey & { readonly username: string };

const listedKeyColumns = { ...keyColumns, username: columnOfContributor('username', 'api_key.contributor') };

/** The keys of one contributor, or of all. */
export async function listKeys(reader: Reader, contributor?: number): Promise<ListedKey[]> {
  const condition = contributor === undefined ? empty : sql`where contributor = ${contributor}`;
  const rows = await all(reader, listedKeyColumns)`from api_key ${condition} order by id`;
  return rows.map((row) => ({ ...row, can_write: row.can_write === 1 }));
}
