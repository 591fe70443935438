import sql from 'sql-template-tag';
import { pick } from '../../database/columns.ts';
import type { Database } from '../../database/database.ts';
import { select } from '../../database/query.ts';
import { accountTable } from '../../database/schema.ts';

const columns = pick(accountTable.columns, 'contributor');

const query = select(columns, sql`from account where role <> 'contributor' and disabled is null`);

interface Moderators {
  readonly generation: number | undefined;
  readonly ids: ReadonlySet<number>;
}

const cache = new WeakMap<Database, Moderators>();

/** The ids of moderators and admins, who have a badge. They are read again when anything has changed. */
export async function loadModerators(database: Database): Promise<ReadonlySet<number>> {
  const generation = database.generation();
  const cached = cache.get(database);
  if (cached && cached.generation === generation && generation !== undefined) return cached.ids;
  const rows = await database.all(query);
  const found = new Set(rows.map(({ contributor }) => contributor));
  // The same set as long as the moderators are the same.
  const ids = cached && found.symmetricDifference(cached.ids).size === 0 ? cached.ids : found;
  cache.set(database, { generation, ids });
  return ids;
}
