// Lists of projects on pages: the query has the filters of the API, an order and a page number.

import { NotFound } from '../errors.ts';
import type { AppliedFilters, ProjectFinder, ProjectListing } from '../gallery/projects/find.ts';
import { parseOrder } from '../gallery/projects/order.ts';
import type { Project } from '../gallery/projects/project.ts';
import { projectContentTypes } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { readParameters } from '../rest/parameters.ts';

const defaultPageSize = 24;

export interface ProjectPage {
  readonly projects: Project[];
  readonly count: number;
  readonly number: number;
  readonly last: number;
}

export async function loadProjectPage(
  listing: ProjectListing,
  query: URLSearchParams,
  size = defaultPageSize,
): Promise<ProjectPage> {
  const { items: projects, ...rest } = await loadPage(listing, query, size);
  return { projects, ...rest };
}

interface PagedList<Item> {
  count(): Promise<number>;
  page(offset: number, size: number): Promise<Item[]>;
}

/** Loads the page of a list that the query parameter `page` names: a number or `last`. */
export async function loadPage<Item>(
  listing: PagedList<Item>,
  query: URLSearchParams,
  size = defaultPageSize,
) {
  const text = query.get('page') || '1';
  // One row more than fits on the first page shows whether a count is needed.
  const first = text === '1' ? await listing.page(0, size + 1) : undefined;
  const count = first && first.length <= size ? first.length : await listing.count();
  const last = Math.max(1, Math.ceil(count / size));
  const number = text === 'last' ? last : /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > last) throw new NotFound();
  const items = first?.slice(0, size) ?? (await listing.page((number - 1) * size, size));
  return { items, count, number, last };
}

/** The filters and the order of a list, parsed from its URL. */
export interface ListQuery {
  readonly filters: AppliedFilters;
  /** `choices` with the filters that apply by default. */
  readonly effectiveFilters: AppliedFilters;
  readonly ordering: string;
  readonly listing: ProjectListing;
  /** The valid parameters, sorted, so that one list has one URL. */
  readonly query: URLSearchParams;
}

/** Lists contain comments only if the filters ask for them. */
export function excludeComments(projects: ProjectFinder, filters: AppliedFilters): AppliedFilters {
  if (filters.has('content_type') || filters.has('content_type__in') || filters.has('search')) return filters;
  return new Map([...filters, ...projects.applyFilter('content_type__in', projectContentTypes.join())]);
}

export function parseListQuery(projects: ProjectFinder, viewer: Viewer, query: URLSearchParams): ListQuery {
  const filters = projects.toAppliedFilters(readParameters(projects.filters, query, false), query);
  const { order } = parseOrder(query.get('ordering') ?? '');
  const ordering = order ? (query.get('ordering') ?? '') : '';
  const validQuery = new URLSearchParams([...filters].map(([name, { text }]) => [name, text]));
  if (ordering) validQuery.set('ordering', ordering);
  validQuery.sort();
  const effectiveFilters = excludeComments(projects, filters);
  return {
    filters,
    effectiveFilters,
    ordering,
    listing: projects.list(viewer, effectiveFilters, order),
    query: validQuery,
  };
}

/** Sets some parameters of a query; an empty value deletes one. */
export function buildHref(path: string, query: URLSearchParams, changes: Record<string, string>): string {
  const newQuery = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) newQuery.set(name, value);
    else newQuery.delete(name);
  }
  newQuery.sort();
  const queryString = newQuery.toString();
  return `${path}${queryString && '?'}${queryString}`;
}

/** The URL of the first page has no page number. */
export function createPageHref(path: string, query: URLSearchParams): (number: number) => string {
  return (number) => buildHref(path, query, { page: number === 1 ? '' : String(number) });
}
