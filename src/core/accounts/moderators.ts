// The people who have a badge beside their name.

import sql from 'sql-template-tag';
import { type Database, pick, select } from '#sql';
import type { Role } from '../viewer/viewer.ts';
import { accountColumns } from './account.ts';

const moderatorsQuery = select(
  pick(accountColumns, 'contributor', 'role'),
  sql`from account where role <> 'contributor' and disabled is null`,
);

type Moderators = ReadonlyMap<number, Role>;

interface CachedModerators {
  readonly generation: number | undefined;
  readonly roles: Moderators;
}

const moderatorsCache = new WeakMap<Database, CachedModerators>();

/** The roles of moderators and admins, by id. They are read again when anything has changed. */
export async function loadModerators(database: Database): Promise<Moderators> {
  const generation = database.generation();
  const cached = moderatorsCache.get(database);
  if (cached && cached.generation === generation && generation !== undefined) return cached.roles;
  const rows = await database.all(moderatorsQuery);
  const found = new Map(rows.map(({ contributor, role }) => [contributor, role]));
  // The same map as long as the moderators are the same.
  const isSame =
    cached?.roles.size === found.size && rows.every((row) => cached.roles.get(row.contributor) === row.role);
  const roles = cached && isSame ? cached.roles : found;
  moderatorsCache.set(database, { generation, roles });
  return roles;
}
