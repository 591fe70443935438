// The version of a project is its column `touched`. Every state gets a version of its own, even if the clock stands
// still.

import sql, { type Sql } from 'sql-template-tag';
import type { Instant } from '../instant.ts';

export function nextVersion({ touched }: { readonly touched: Instant }, at: Instant): Instant {
  return Math.max(at, touched + 1);
}

export function nextVersionSql(at: Instant): Sql {
  return sql`case when touched < ${at} then ${at} else touched + 1 end`;
}
