// Lists accounts and keys for the operator.

import sql, { empty } from 'sql-template-tag';
import type { Reader } from '../../database/open.ts';
import type { Account } from './account.ts';
import type { ApiKey } from './keys.ts';

type ListedAccount = Account & { readonly keys: number };

export function listAccounts(reader: Reader): Promise<ListedAccount[]> {
  return reader.all<ListedAccount>(
    sql`select id, username, first_name, last_name, created, role, password, disabled,
          (select count(*) from api_key where contributor = account.contributor) as keys
        from account join contributor on id = account.contributor order by id`,
  );
}

type ListedKey = ApiKey & { readonly username: string };

/** The keys of one contributor, or of all. */
export async function listKeys(reader: Reader, contributor?: number): Promise<ListedKey[]> {
  const rows = await reader.all<Omit<ListedKey, 'writes'> & { writes: number }>(
    sql`select id, contributor, name, writes, created, expires, used,
          (select username from contributor where contributor.id = api_key.contributor) as username
        from api_key ${contributor === undefined ? empty : sql`where contributor = ${contributor}`} order by id`,
  );
  return rows.map((row) => ({ ...row, writes: row.writes === 1 }));
}
