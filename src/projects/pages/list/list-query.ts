// Lists of projects on pages: the query has the filters of the API, an order and a page number.

import { type Listing, type PageNumbers, parsePage } from '#rest/pagination.ts';
import { readParameters } from '#rest/parameters.ts';
import { isCollection, listedProjectTypes } from '../../../core/content-types.ts';
import { parseOrder } from '../../../core/listing/order.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import type { Project } from '../../project.ts';
import { projectSorting } from '../../project-order.ts';
import { projectFilters } from '../../reading/filters.ts';
import type { ProjectFinder, ProjectList } from '../../reading/find-projects.ts';
import type { AppliedFilters } from '../../reading/tagged-projects.ts';
import { findIfVisible } from '../project/find-project.ts';

const defaultPageSize = 24;

export interface ListPage<Item> extends PageNumbers {
  readonly items: readonly Item[];
  /** The number of items on all pages. */
  readonly count: number;
  /** More items match than are on the pages. */
  readonly isTruncated: boolean;
}

/** Loads the page of a list that the query parameter `page` names: a number or `last`. */
export async function loadListPage<Item>(
  listing: Pick<Listing<Item, never>, 'count' | 'isTruncated' | 'page'>,
  query: URLSearchParams,
  size = defaultPageSize,
): Promise<ListPage<Item>> {
  const text = query.get('page') || '1';
  // One item more than fits on the first page shows whether a count is needed.
  const first = text === '1' ? await listing.page(0, size + 1) : undefined;
  const count = first && first.length <= size ? first.length : await listing.count();
  const { number, last } = parsePage(text, count, size);
  const items = first?.slice(0, size) ?? (await listing.page((number - 1) * size, size));
  const isTruncated = (await listing.isTruncated?.()) ?? false;
  return { items, count, isTruncated, number, last };
}

/** The title of a page of a list. */
export function formatPageTitle({ t }: Translator, title: string, number: number): string {
  return number > 1 ? t('pager.title', { title, number }) : title;
}

/** The filters and the order of a list, parsed from its URL. */
export interface ListQuery {
  readonly filters: AppliedFilters;
  /** `choices` with the filters that apply by default. */
  readonly effectiveFilters: AppliedFilters;
  readonly ordering: string;
  /** New projects come on top. */
  readonly isNewestFirst: boolean;
  readonly listing: ProjectList;
  /** The valid parameters, sorted, so that one list has one URL. */
  readonly query: URLSearchParams;
}

/** Lists contain comments only if the filters ask for them. */
export function excludeComments(projects: ProjectFinder, filters: AppliedFilters): AppliedFilters {
  if (filters.has('content_type') || filters.has('content_type__in') || filters.has('search')) return filters;
  return new Map([...filters, ...projects.parseFilter('content_type__in', listedProjectTypes.join())]);
}

export function parseListQuery(projects: ProjectFinder, viewer: Viewer, query: URLSearchParams): ListQuery {
  const filters = projects.toAppliedFilters(readParameters(projectFilters, query, false, projects), query);
  const { order } = parseOrder(query.get('ordering') ?? '', projectSorting);
  const ordering = order ? (query.get('ordering') ?? '') : '';
  const validQuery = new URLSearchParams([...filters].map(([name, { text }]) => [name, text]));
  if (ordering) validQuery.set('ordering', ordering);
  validQuery.sort();
  const effectiveFilters = excludeComments(projects, filters);
  return {
    filters,
    effectiveFilters,
    ordering,
    isNewestFirst:
      ordering === '-created' || (ordering === '' && !filters.has('search') && !filters.has('collection')),
    listing: projects.list(viewer, effectiveFilters, order),
    query: validQuery,
  };
}

/** The collection that a list is of, unless it is hidden from the viewer. */
export async function findListedCollection(
  projects: ProjectFinder,
  viewer: Viewer,
  { filters }: ListQuery,
): Promise<Project | undefined> {
  const id = filters.get('collection')?.value;
  if (id === undefined) return undefined;
  const project = await findIfVisible(projects.find(viewer, Number(id)));
  return project && isCollection(project) ? project : undefined;
}
