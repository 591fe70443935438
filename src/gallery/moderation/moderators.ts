import sql from 'sql-template-tag';
import { pick } from '../../database/columns.ts';
import type { Reader } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { accountTable } from '../../database/schema.ts';

const columns = pick(accountTable.columns, 'contributor');

/** The ids of moderators and admins, who have a badge. */
export async function loadModerators(reader: Reader): Promise<ReadonlySet<number>> {
  const rows = await reader.all(
    select(columns, sql`from account where role <> 'contributor' and disabled is null`),
  );
  return new Set(rows.map(({ contributor }) => contributor));
}
