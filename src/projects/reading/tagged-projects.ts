// Listings of tags, newest or oldest first, from the rows of the tags: they have what such a listing filters and sorts
// by, in the order of an index.

import sql, { join, type Sql } from 'sql-template-tag';
import { listedTypes } from '../../core/content-types.ts';
import { isAnonymous, type Viewer } from '../../core/viewer/viewer.ts';
import type { ProjectOrder } from '../project-order.ts';
import type { EngineFilter } from '../searching/search-engine.ts';
import { discoverableBy, listedFor } from '../visibility/visible-to.ts';
import type { Filter } from './filters.ts';

export interface TaggedProjects {
  /** Has the columns `id`, `created` and `content_type` of the listed projects with the tags. */
  readonly table: Sql;
  /** The condition of the other filters. */
  readonly condition: Sql;
  /** Every row of the index belongs to the listing. */
  readonly isSingleTag: boolean;
  /** Where the number of rows is stored. */
  readonly count: Sql | undefined;
}

/** Whether the rows of a tag are in this order. */
export const isTagOrder = (order: ProjectOrder): boolean =>
  order.map(({ column }) => column).join() === 'created,id' && order[0]?.descending === order[1]?.descending;

/** The tags that the filters ask for, and the other filters. */
function separateTags(filters: AppliedFilters) {
  const keys = (filters.get('tags')?.value ?? []) as readonly string[];
  return { keys, others: new Map([...filters].filter(([name]) => name !== 'tags')) };
}

/** Undefined if the filters need other columns. */
export function findTagged(
  filters: AppliedFilters,
  conditionsOf: (filters: AppliedFilters) => Sql[],
): TaggedProjects | undefined {
  const { keys, others } = separateTags(filters);
  const isByType = [...others.keys()].every((name) => name.startsWith('content_type'));
  if (keys.length === 0 || !isByType || asksForCollections(filters)) return undefined;
  const isSingleTag = keys.length === 1 && others.size === 0;
  const has = keys.map(
    (key) => sql`exists (
      select 1 from tag as other
      where other.tag_key = ${key} and other.listed_created = tag.listed_created and other.project = tag.project
    )`,
  );
  const hasOthers = keys.length === 1 ? [] : has;
  return {
    table: sql`(
      select project as id, listed_created as created, content_type from tag
      where ${join([sql`tag_key = ${rarestOf(keys)} and listed_created is not null`, ...hasOthers], ' and ')}
    ) as project`,
    condition: join([sql`1 = 1`, ...conditionsOf(others)], ' and '),
    isSingleTag,
    count: isSingleTag ? sql`from tag_count where tag_key = ${keys[0]}` : undefined,
  };
}

/** The first rows of a listing by another field than time: some of them have the tags. */
export interface FirstRows {
  readonly table: Sql;
  /** Selects the rows. */
  readonly condition: Sql;
  readonly hasTags: Sql;
}

/** If the tags are common, a few of these rows are enough for a page. */
export function findFirstRows(
  filters: AppliedFilters,
  tableByIndex: (index: string) => Sql,
  conditionOf: (filters: AppliedFilters) => Sql,
  order: ProjectOrder,
): FirstRows | undefined {
  const { keys, others } = separateTags(filters);
  const index = findIndex(others, order);
  if (keys.length === 0 || !index || order.length > 2) return undefined;
  // The concatenation keeps planners from reading all rows of the tag.
  const hasTags = keys.map(
    (key) => sql`exists (select 1 from tag where tag.project = project.id and tag_key || '' = ${key})`,
  );
  return { table: tableByIndex(index), condition: conditionOf(others), hasTags: join(hasTags, ' and ') };
}

/** The projects of the rarest tag are read, and the others are looked up for each. */
const rarestOf = (keys: readonly string[]): Sql =>
  keys.length === 1
    ? sql`${keys[0]}`
    : sql`(select column1 from (values ${join(keys.map((key) => sql`(${key})`))}) as requested
           left join tag_count on tag_key = column1 order by coalesce(count, 0), column1 limit 1)`;

// The filters of a request, and which of a viewer's listings they choose from.

export interface AppliedFilter {
  readonly filter: Filter;
  readonly value: unknown;
  readonly text: string;
}

/** The filters of a request, by name. */
export type AppliedFilters = ReadonlyMap<string, AppliedFilter>;

/** In a collection, a viewer finds what they may find anywhere. */
export const visibilityOf = (viewer: Viewer, filters: AppliedFilters): Sql =>
  filters.has('collection')
    ? discoverableBy(viewer)
    : listedFor(viewer, {
        hasStatusFilter: filters.has('status'),
        ownOnly: isOwnOnly(filters),
        collections: asksForCollections(filters),
      });

export const engineFilterOf = (viewer: Viewer, filters: AppliedFilters): EngineFilter => ({
  types: typesOf(filters),
  onlyListed: isAnonymous(viewer) && !filters.has('status'),
});

/** The content types that are asked for; none means all. */
const typesOf = (filters: AppliedFilters): string[] =>
  ['content_type', 'content_type__in'].flatMap((name) => (filters.get(name)?.value as string[]) ?? []);

const asksForCollections = (filters: AppliedFilters): boolean => typesOf(filters).includes('collection');

export const isOwnOnly = (filters: AppliedFilters): boolean => filters.get('contributor')?.text === 'me';

/** The index that already has the order of the whole listing, if there is one for these filters. */
export function findIndex(filters: AppliedFilters, [first]: ProjectOrder): string | undefined {
  if (asksForCollections(filters)) return undefined;
  const filterNames = [...filters.keys()].join();
  const types = filters.get('content_type__in')?.value as readonly string[] | undefined;
  // All content types but one are nearly all projects.
  const isNearlyAll =
    filterNames === '' || (filterNames === 'content_type__in' && types?.length === listedTypes.length - 1);
  if (isNearlyAll) return `project_by_${first?.column}`;
  if (filterNames === 'copied_from' && first?.column === 'created') return 'project_by_source';
  return filterNames === 'content_type' ? `project_by_type_${first?.column}` : undefined;
}

/** Whether the index of all listed projects by id has what the filters and the order compare. */
export const isInIndexById = (filters: AppliedFilters, order: ProjectOrder): boolean =>
  !asksForCollections(filters) &&
  [...filters.keys()].every((name) => /^(content_type|created|tags)(__|$)/.test(name)) &&
  order.every(({ column }) => ['tier', 'created', 'id'].includes(column));

/** Whether so few projects meet the filters that each can be looked up. */
export const hasFewProjects = (filters: AppliedFilters): boolean =>
  ['collection', 'contributor', 'copied_from', 'id__in', 'uuid', 'slug'].some((name) => filters.has(name));
