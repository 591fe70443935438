// A list of projects as a page's address asks for it: the filters of the API, an order, a page.

import { NotFound } from '../errors.ts';
import type { Choices, ProjectFinder, ProjectListing } from '../gallery/projects/find.ts';
import { parseOrder } from '../gallery/projects/order.ts';
import type { Project } from '../gallery/projects/project.ts';
import { madeTypes } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { readParameters } from '../rest/parameters.ts';

const usualSize = 24;

export interface Numbered {
  readonly projects: Project[];
  readonly count: number;
  readonly number: number;
  readonly last: number;
}

export async function numbered(
  listing: ProjectListing,
  query: URLSearchParams,
  size = usualSize,
): Promise<Numbered> {
  const { items: projects, ...rest } = await numberedOf(listing, query, size);
  return { projects, ...rest };
}

interface Listing<Item> {
  count(): Promise<number>;
  page(offset: number, size: number): Promise<Item[]>;
}

/** The page of any list that a query names. */
export async function numberedOf<Item>(listing: Listing<Item>, query: URLSearchParams, size = usualSize) {
  const text = query.get('page') || '1';
  // One more than fits tells whether there is anything to count.
  const first = text === '1' ? await listing.page(0, size + 1) : undefined;
  const count = first && first.length <= size ? first.length : await listing.count();
  const last = Math.max(1, Math.ceil(count / size));
  const number = text === 'last' ? last : /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > last) throw new NotFound();
  const items = first?.slice(0, size) ?? (await listing.page((number - 1) * size, size));
  return { items, count, number, last };
}

/** What a list's address asks for, but for the page. */
export interface Asked {
  readonly choices: Choices;
  /** The same with what nobody needs to ask for. */
  readonly listed: Choices;
  readonly ordering: string;
  readonly listing: ProjectListing;
  /** What was understood of the query, sorted: one list has one address. */
  readonly query: URLSearchParams;
}

/** What people say of things stands with these; in lists only for who asks for it. */
export function withoutComments(projects: ProjectFinder, choices: Choices): Choices {
  if (choices.has('content_type') || choices.has('content_type__in') || choices.has('search')) return choices;
  return new Map([...choices, ...projects.choose('content_type__in', madeTypes.join())]);
}

export function asked(projects: ProjectFinder, viewer: Viewer, query: URLSearchParams): Asked {
  const choices = projects.choicesOf(readParameters(projects.filters, query, false));
  const { order } = parseOrder(query.get('ordering') ?? '');
  const ordering = order ? (query.get('ordering') ?? '') : '';
  const understood = new URLSearchParams([...choices].map(([name, { text }]) => [name, text]));
  if (ordering) understood.set('ordering', ordering);
  understood.sort();
  const listed = withoutComments(projects, choices);
  return { choices, listed, ordering, listing: projects.listing(viewer, listed, order), query: understood };
}

/** An address with some parameters set, and those that are empty taken out. */
export function addressWith(path: string, query: URLSearchParams, changes: Record<string, string>): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) changed.set(name, value);
    else changed.delete(name);
  }
  changed.sort();
  const text = changed.toString();
  return `${path}${text && '?'}${text}`;
}

/** The first page has no number in its address. */
export function pageAddress(path: string, query: URLSearchParams): (number: number) => string {
  return (number) => addressWith(path, query, { page: number === 1 ? '' : String(number) });
}
