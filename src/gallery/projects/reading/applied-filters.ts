// The filters of a request, and which of a viewer's listings they choose from.

import type { Sql } from 'sql-template-tag';
import { contentTypes } from '../../content-types.ts';
import type { Viewer } from '../../viewer.ts';
import type { ProjectOrder } from '../order.ts';
import { listedFor } from '../visibility.ts';
import type { Filter } from './filters.ts';

export interface AppliedFilter {
  readonly filter: Filter;
  readonly value: unknown;
  readonly text: string;
}

/** The filters of a request, by name. */
export type AppliedFilters = ReadonlyMap<string, AppliedFilter>;

export const visibilityOf = (viewer: Viewer, filters: AppliedFilters): Sql =>
  listedFor(viewer, { hasStatusFilter: filters.has('status'), ownOnly: isOwnOnly(filters) });

export const isOwnOnly = (filters: AppliedFilters): boolean => filters.get('contributor')?.text === 'me';

/** The index that already has the order of the whole listing, if there is one for these filters. */
export function findIndex(filters: AppliedFilters, [first]: ProjectOrder): string | undefined {
  const filterNames = [...filters.keys()].join();
  const types = filters.get('content_type__in')?.value as readonly string[] | undefined;
  // All content types but one are nearly all projects.
  const isNearlyAll =
    filterNames === '' || (filterNames === 'content_type__in' && types?.length === contentTypes.length - 1);
  if (isNearlyAll) return `project_by_${first?.column}`;
  if (filterNames === 'copied_from' && first?.column === 'created') return 'project_by_source';
  return filterNames === 'content_type' ? `project_by_type_${first?.column}` : undefined;
}

/** Whether the index of all listed projects by id has what the filters and the order compare. */
export const isInIndexById = (filters: AppliedFilters, order: ProjectOrder): boolean =>
  [...filters.keys()].every((name) => /^(content_type|created|tags)(__|$)/.test(name)) &&
  order.every(({ column }) => ['tier', 'created', 'id'].includes(column));

/** Whether so few projects meet the filters that each can be looked up. */
export const hasFewProjects = (filters: AppliedFilters): boolean =>
  ['contributor', 'copied_from', 'id__in', 'uuid', 'slug'].some((name) => filters.has(name));
