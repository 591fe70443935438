// Pagination as in Django REST framework: by page numbers, by limit and offset, or by cursors, which neither skip nor repeat
// an item while other items are added and deleted. A cursor or a page number counts before an offset.

import { z } from 'zod';
import { apiText } from '../../common/src/api-text.ts';
import { NotFound } from '../../common/src/errors.ts';
import { anyText, InvalidValue } from '../../common/src/inputs.ts';
import type { Secret } from '../../common/src/signature.ts';
import { parseWholeNumber } from '../../common/src/whole-number.ts';
import { CursorCodec } from './cursors.ts';
import { findListColumns } from './list-formats.ts';
import type { Bytes } from './prepared-response.ts';
import { joinPage } from './renderers/joined-page.ts';
import { urlWithParameters } from './request-url.ts';
import type { OperationContext, OperationResult, Parameters, Query, WholeList } from './resource.ts';

const defaultPageSize = 20;
const maxPageSize = 100;
/** The header of a page whose listing has only the best matches: their number. */
const truncatedHeader = 'Results-Truncated';
/** Proxies refuse a response with too many bytes of headers: the longest queries get no `Link`. */
const maxLinkLength = 2000;

/** A listing in a total order. */
export interface Listing<Item, Position> {
  /** Differs for each listing: a cursor is valid only for the listing that it was made for. */
  readonly cursorScope: string;
  count(): Promise<number>;
  /** Whether more items match than the listing has; missing if it always has all. */
  isTruncated?(): Promise<boolean>;
  page(offset: number, size: number): Promise<Item[]>;
  /** The items after a position, or the last ones before it, in the listing's order. */
  seek(positionOf: Position | undefined, size: number, backwards: boolean): Promise<Item[]>;
  positionOf(item: Item): Position;
  /** All items, a few at a time. */
  batches(): AsyncGenerator<Item[], void>;
}

/** A listing of which pages are read. */
type Pages<Item, Position> = Omit<Listing<Item, Position>, 'batches'>;

const readSize = (text: string) => {
  if (parseWholeNumber(text) >= 1 && parseWholeNumber(text) <= maxPageSize) return text;
  throw new InvalidValue(`Enter a whole number from 1 to ${maxPageSize}.`);
};

/** A number that is read where it is used: one that makes no sense is ignored, unless the request is strict. */
const lenientNumber = (range: { readonly minimum: number; readonly maximum?: number }) => ({
  ...anyText,
  schema: { type: 'integer', ...range },
});

export const pageParameters = {
  page: {
    description: 'The page number, from 1. The word `last` is the last page.',
    ...lenientNumber({ minimum: 1 }),
    acceptsEmpty: true,
    isForPages: true,
    unusedWith: ['cursor'],
  },
  page_size: {
    description: `The number of results per page, at most ${maxPageSize}; by default ${defaultPageSize}.`,
    ...lenientNumber({ minimum: 1, maximum: maxPageSize }),
    readStrictly: readSize,
    isForPages: true,
    unusedWith: ['limit'],
  },
  limit: {
    description: 'The same as `page_size`, for clients that send an `offset`.',
    ...lenientNumber({ minimum: 1, maximum: maxPageSize }),
    readStrictly: readSize,
    isForPages: true,
    unusedWith: ['page', 'cursor'],
  },
  offset: {
    description: 'How many results to skip, instead of a page number.',
    ...lenientNumber({ minimum: 0 }),
    readStrictly(text: string) {
      if (/^\d{1,15}$/.test(text)) return text;
      throw new InvalidValue('Enter a whole number.');
    },
    isForPages: true,
    unusedWith: ['page', 'cursor'],
  },
  cursor: {
    description: 'Paginates by cursors instead of page numbers: empty for the first page, then as in `next`.',
    ...anyText,
    acceptsEmpty: true,
    isForPages: true,
  },
} satisfies Parameters;

/** The part of a request that says which page is wanted. */
export interface PageRequest
  extends Pick<OperationContext<unknown>, 'origin' | 'path' | 'query' | 'isShared'> {
  readonly parameters: Query<typeof pageParameters>;
}

export function pageSchema(item: z.ZodType, about: { readonly id: string; readonly description: string }) {
  const url = z.url().nullable();
  return z
    .object({
      count: z
        .int()
        .min(0)
        .optional()
        .describe(
          `The number of results on all pages; missing when paginating by cursors. With the header ${truncatedHeader}, more than these match.`,
        ),
      next: url.describe('The URL of the next page; null on the last one.'),
      previous: url.describe('The URL of the previous page; null on the first one.'),
      results: z.array(item),
    })
    .meta(about);
}

type Records = Readonly<Record<string, unknown>>[];
/** Makes records of items. */
type Serialize<Item> = (items: Item[]) => Records | Promise<Records>;
/** The same as JSON in bytes. */
export type RenderJson<Item> = (items: Item[]) => Promise<readonly Bytes[]>;

/** A listing with what makes records of its items. */
export interface RecordListing {
  paginate(context: PageRequest, cursorSecret: Secret): Promise<OperationResult>;
  wholeList(): WholeList;
}

export function createRecordListing<Item, Position>(
  listing: Listing<Item, Position>,
  schema: z.ZodObject,
  serialize: Serialize<Item>,
  /** The members of the records; by default all. */
  names?: string[],
): RecordListing {
  async function* serializeBatches() {
    for await (const items of listing.batches()) yield serialize(items);
  }
  return {
    paginate: (context, cursorSecret) =>
      paginate(listing, context, cursorSecret, async (page) => ({
        data: { ...page, results: await serialize(page.results) },
      })),
    wholeList: () => ({ columns: findListColumns(schema, names), batches: serializeBatches() }),
  };
}

/** A page of results that are JSON already. */
export const paginateJson = <Item, Position>(
  listing: Pages<Item, Position>,
  context: PageRequest,
  cursorSecret: Secret,
  render: RenderJson<Item>,
): Promise<OperationResult> =>
  paginate(listing, context, cursorSecret, async ({ results, ...page }) => ({
    json: joinPage(page, await render(results)),
  }));

async function paginate<Item, Position>(
  listing: Pages<Item, Position>,
  context: PageRequest,
  cursorSecret: Secret,
  render: (page: Omit<FoundPage<Item>, 'links'>) => Promise<Pick<OperationResult, 'data' | 'json'>>,
): Promise<OperationResult> {
  const { page, cursor, limit, offset, page_size } = context.parameters;
  const byOffset = isByOffset(context.parameters);
  const size = clampPageSize(parseWholeNumber((byOffset && limit) || page_size || ''));
  const path = `${context.origin}${context.path}`;
  const urlOf: UrlOfPage = (changes) => urlWithParameters(path, context.query, changes);
  const { links = {}, ...found } =
    cursor !== undefined
      ? await paginateByCursor(
          listing,
          size,
          new CursorCodec(cursorSecret, listing.cursorScope),
          cursor,
          urlOf,
        )
      : byOffset
        ? await paginateByOffset(listing, size, clampOffset(parseWholeNumber(offset ?? '')), urlOf)
        : await paginateByNumber(listing, size, page ?? '1', createPageUrl(path, context.query));
  const content = await render(found);
  const link = formatLinks({ next: found.next, prev: found.previous, ...links });
  if (!(await listing.isTruncated?.())) return { ...content, link };
  return { ...content, link, headers: { [truncatedHeader]: String(await listing.count()) } };
}

/** A client that sends a page number or a cursor as well means that. */
const isByOffset = ({ page, cursor, limit, offset }: Query<typeof pageParameters>) =>
  page === undefined && cursor === undefined && (limit !== undefined || offset !== undefined);

/** The URL of another page, whose parameters differ in these. */
type UrlOfPage = (changes: Readonly<Record<string, string>>) => string;

interface FoundPage<Item> {
  readonly count?: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: Item[];
  /** The first and the last page. */
  readonly links?: Readonly<Record<string, string>>;
}

/** The header `Link` (RFC 8288), or an empty text. */
function formatLinks(urls: Readonly<Record<string, string | null>>): string {
  const links = Object.entries(urls).flatMap(([rel, url]) => (url === null ? [] : `<${url}>; rel="${rel}"`));
  const text = links.join(', ');
  return text.length > maxLinkLength ? '' : text;
}

const clampOffset = (offset: number) => Math.min(offset, Number.MAX_SAFE_INTEGER);
const clampPageSize = (size: number) => (size < 1 ? defaultPageSize : Math.min(size, maxPageSize));

/** The page number of a query that had a valid response, and the number of the last page; undefined if it has no number. */
export function findPageNumbers(count: number, query: URLSearchParams): PageNumbers | undefined {
  if (isByOffset(Object.fromEntries([...query].filter(([, value]) => value !== '')))) return undefined;
  const size = clampPageSize(parseWholeNumber(query.getAll('page_size').at(-1) ?? ''));
  return parsePage(query.getAll('page').at(-1) ?? '1', count, size);
}

export interface PageNumbers {
  readonly number: number;
  readonly last: number;
}

/** The page that a text names, a number or `last`, and the number of the last page. */
export function parsePage(text: string, count: number, size: number): PageNumbers {
  const last = Math.max(1, Math.ceil(count / size));
  const number = text === 'last' ? last : parseWholeNumber(text);
  if (number < 1 || number > last) throw new NotFound(apiText('invalidPage'));
  return { number, last };
}

async function paginateByNumber<Item, Position>(
  listing: Pages<Item, Position>,
  size: number,
  text: string,
  pageUrl: (number: number) => string,
): Promise<FoundPage<Item>> {
  const count = await listing.count();
  const { number, last } = parsePage(text, count, size);
  const results = count === 0 ? [] : await listing.page((number - 1) * size, size);
  return {
    count,
    next: number < last ? pageUrl(number + 1) : null,
    previous: number > 1 ? pageUrl(number - 1) : null,
    results,
    links: { first: pageUrl(1), last: pageUrl(last) },
  };
}

/** An offset beyond the end is an empty page. */
async function paginateByOffset<Item, Position>(
  listing: Pages<Item, Position>,
  size: number,
  offset: number,
  urlOf: UrlOfPage,
): Promise<FoundPage<Item>> {
  const count = await listing.count();
  const results = offset < count ? await listing.page(offset, size) : [];
  const urlAt = (row: number) => urlOf({ limit: String(size), offset: row > 0 ? String(row) : '' });
  return {
    count,
    next: offset + size < count ? urlAt(offset + size) : null,
    previous: offset > 0 ? urlAt(offset - size) : null,
    results,
    links: { first: urlAt(0), last: urlAt(Math.floor(Math.max(0, count - 1) / size) * size) },
  };
}

/** The URL of the first page has no page number. */
export function createPageUrl(path: string, query = new URLSearchParams()): (number: number) => string {
  const first = urlWithParameters(path, query, { page: '' });
  const [start, end] = urlWithParameters(path, query, { page: '0' }).split(/(?<=[?&]page=)0(?=&|$)/);
  return (number) => (number === 1 ? first : `${start}${number}${end}`);
}

async function paginateByCursor<Item, Position>(
  listing: Pages<Item, Position>,
  size: number,
  cursors: CursorCodec<Position>,
  text: string,
  urlOf: UrlOfPage,
): Promise<FoundPage<Item>> {
  const { backwards, position } =
    text === '' ? { backwards: false, position: undefined } : cursors.decode(text);
  const results = await listing.seek(position, size + 1, backwards);
  const hasMore = results.length > size;
  if (hasMore) results.splice(backwards ? 0 : size, 1);
  const [first, last] = [results[0], results.at(-1)];
  const toUrl = (item: Item | undefined, back: boolean) =>
    item === undefined ? null : urlOf({ cursor: cursors.encode(back, listing.positionOf(item)) });
  return {
    next: backwards || hasMore ? toUrl(last, false) : null,
    previous: (backwards ? hasMore : position !== undefined) ? toUrl(first, true) : null,
    results,
  };
}
