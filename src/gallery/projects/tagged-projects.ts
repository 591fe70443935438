// Listings of tags, newest or oldest first, from the rows of the tags: they have what such a listing filters and sorts
// by, in the order of an index.

import sql, { join, type Sql } from 'sql-template-tag';
import type { AppliedFilters } from './applied-filters.ts';
import type { ProjectOrder } from './order.ts';

export interface TaggedProjects {
  /** Has the columns `id`, `created` and `content_type` of the listed projects with the tags. */
  readonly table: Sql;
  /** What the other filters ask for. */
  readonly condition: Sql;
  /** Every row of the index belongs to the listing. */
  readonly isSingleTag: boolean;
}

/** Undefined if the listing needs other columns. */
export function findTagged(
  filters: AppliedFilters,
  conditionsOf: (filters: AppliedFilters) => Sql[],
  order: ProjectOrder,
): TaggedProjects | undefined {
  const [first, ...others] = (filters.get('tags')?.value ?? []) as readonly string[];
  const otherFilters = new Map([...filters].filter(([name]) => name !== 'tags'));
  const isByType = [...otherFilters.keys()].every((name) => name.startsWith('content_type'));
  const columns = order.map(({ column }) => column).join();
  if (
    first === undefined ||
    !isByType ||
    columns !== 'created,id' ||
    order[0]?.descending !== order[1]?.descending
  )
    return undefined;
  const hasOthers = others.map(
    (key) => sql`exists (
      select 1 from tag as other
      where other.tag_key = ${key} and other.listed_created = tag.listed_created and other.project = tag.project
    )`,
  );
  return {
    table: sql`(
      select project as id, listed_created as created, content_type from tag
      where ${join([sql`tag_key = ${first} and listed_created is not null`, ...hasOthers], ' and ')}
    ) as project`,
    condition: join([sql`1 = 1`, ...conditionsOf(otherFilters)], ' and '),
    isSingleTag: others.length === 0 && otherFilters.size === 0,
  };
}
