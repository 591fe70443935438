// The version of a project is its column `record_modified`. Every state gets a version of its own, even if the clock stands
// still.

import sql, { type Sql } from 'sql-template-tag';
import type { Instant } from '../instant.ts';

export function nextVersion(
  { record_modified }: { readonly record_modified: Instant },
  at: Instant,
): Instant {
  return Math.max(at, record_modified + 1);
}

export function nextVersionSql(at: Instant): Sql {
  return sql`case when record_modified < ${at} then ${at} else record_modified + 1 end`;
}
