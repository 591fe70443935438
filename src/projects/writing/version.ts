// The version of a project is its column `record_modified`. Every state gets a version of its own, even if the clock stands
// still. If the clock was set back, the version also gets the next second: `Last-Modified` has only whole seconds.

import sql, { type Sql } from 'sql-template-tag';
import type { Instant } from '../../core/instant.ts';

const second = 1_000_000;

export function nextVersion(
  { record_modified }: { readonly record_modified: Instant },
  at: Instant,
): Instant {
  if (at > record_modified) return at;
  return record_modified + (record_modified - at > second ? second : 1);
}

export function nextVersionSql(at: Instant): Sql {
  return sql`case when record_modified < ${at} then ${at}
    when record_modified - ${at} > ${second} then record_modified + ${second} else record_modified + 1 end`;
}
