// The two ways to walk a listing: by numbered pages in Django REST framework's envelope, and by cursors, which
// neither skip nor repeat an item while others come and go.

import { z } from 'zod';
import { Invalid, NotFound } from '../errors.ts';
import type { OperationContext, Parameters } from './resource.ts';

const defaultPageSize = 20;
const maxPageSize = 100;

/** A listing of something, in a total order. */
export interface Listing<Item, Position> {
  /** Tells it from every other listing: its cursors fit no other. */
  readonly cursorScope: string;
  count(): Promise<number>;
  page(offset: number, size: number): Promise<Item[]>;
  /** The items behind a position, or the nearest before it, in the listing's order. */
  seek(positionOf: Position | undefined, size: number, backwards: boolean): Promise<Item[]>;
  positionOf(item: Item): Position;
}

export const pageParameters: Parameters = {
  page: { description: 'A page from 1 on, or `last`.', schema: z.string(), acceptsEmpty: true },
  page_size: {
    description: `How many items a page has, at most ${maxPageSize}; ${defaultPageSize} unless given.`,
    schema: z.string(),
  },
  cursor: {
    description: 'Walks the listing by cursors instead of pages: empty to begin, then as `next` has it.',
    schema: z.string(),
    acceptsEmpty: true,
  },
};

export function pageSchema(item: z.ZodType) {
  const address = z.url().nullable();
  return z.object({
    count: z
      .int()
      .min(0)
      .optional()
      .describe('How many items there are on all pages; not there when walking by cursors.'),
    next: address.describe('The address of the next page; null on the last.'),
    previous: address.describe('The address of the page before; null on the first.'),
    results: z.array(item),
  });
}

export async function paginate<Item, Position, Viewer>(
  listing: Listing<Item, Position>,
  context: OperationContext<Viewer>,
  cursorSecret: string,
  serialize: (items: Item[]) => unknown[] | Promise<unknown[]>,
): Promise<Record<string, unknown>> {
  const size = readPageSize(context);
  const cursor = context.parameters.get('cursor');
  const page = cursor
    ? await paginateByCursor(
        listing,
        context,
        size,
        new CursorCodec<Position>(cursorSecret, listing.cursorScope),
        cursor.text,
      )
    : await paginateByNumber(listing, context, size);
  return { ...page, results: await serialize(page.results) };
}

function readPageSize<Viewer>({ parameters, strict }: OperationContext<Viewer>): number {
  const text = parameters.get('page_size')?.text;
  if (text === undefined) return defaultPageSize;
  const size = parseWholeNumber(text);
  if (strict && (size < 1 || size > maxPageSize)) {
    throw new Invalid({ page_size: [`Enter a whole number from 1 to ${maxPageSize}.`] });
  }
  return clampPageSize(size);
}

const parseWholeNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : 0);
const clampPageSize = (size: number) => (size < 1 ? defaultPageSize : Math.min(size, maxPageSize));

/** Where in a numbered listing a query that was answered stands. */
export function findPageNumbers(count: number, query: URLSearchParams): { number: number; last: number } {
  const last = countPages(count, clampPageSize(parseWholeNumber(query.getAll('page_size').at(-1) ?? '')));
  return { number: parsePageNumber(query.getAll('page').at(-1) ?? '1', last), last };
}

const countPages = (count: number, size: number) => Math.max(1, Math.ceil(count / size));

async function paginateByNumber<Item, Position, Viewer>(
  listing: Listing<Item, Position>,
  context: OperationContext<Viewer>,
  size: number,
) {
  const count = await listing.count();
  const last = countPages(count, size);
  const number = parsePageNumber(context.parameters.get('page')?.text ?? '1', last);
  const results = count === 0 ? [] : await listing.page((number - 1) * size, size);
  return {
    count,
    next: number < last ? urlWithParameter(context, 'page', String(number + 1)) : null,
    previous:
      number > 1 ? urlWithParameter(context, 'page', number === 2 ? undefined : String(number - 1)) : null,
    results,
  };
}

function parsePageNumber(text: string, last: number): number {
  const number = text === 'last' ? last : /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > last) throw new NotFound('Invalid page.');
  return number;
}

async function paginateByCursor<Item, Position, Viewer>(
  listing: Listing<Item, Position>,
  context: OperationContext<Viewer>,
  size: number,
  cursors: CursorCodec<Position>,
  text: string,
) {
  const { backwards, position } =
    text === '' ? { backwards: false, position: undefined } : cursors.decode(text);
  const results = await listing.seek(position, size + 1, backwards);
  const hasMore = results.length > size;
  if (hasMore) results.splice(backwards ? 0 : size, 1);
  const [first, last] = [results[0], results.at(-1)];
  const toUrl = (item: Item | undefined, back: boolean) =>
    item === undefined
      ? null
      : urlWithParameter(context, 'cursor', cursors.encode(back, listing.positionOf(item)));
  return {
    next: backwards || hasMore ? toUrl(last, false) : null,
    previous: (backwards ? hasMore : position !== undefined) ? toUrl(first, true) : null,
    results,
  };
}

/** Cursors are sealed for one listing, so that one that was altered or belongs elsewhere is known. */
class CursorCodec<Position> {
  constructor(
    private readonly secret: string,
    private readonly scope: string,
  ) {}

  encode(backwards: boolean, position: Position): string {
    const content = Buffer.from(JSON.stringify([backwards ? 1 : 0, position])).toString('base64url');
    return `${content}.${this.#sign(content)}`;
  }

  decode(cursor: string): { backwards: boolean; position: Position } {
    const [content = '', signature, ...rest] = cursor.split('.');
    if (rest.length || signature !== this.#sign(content)) throw new NotFound('Invalid cursor');
    const [direction, position] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
      number,
      Position,
    ];
    return { backwards: direction === 1, position };
  }

  #sign(content: string): string {
    return new Bun.CryptoHasher('sha256', this.secret)
      .update(`${this.scope}\n${content}`)
      .digest('base64url')
      .slice(0, 22);
  }
}

/** The request's own address with one parameter changed and all others kept, in Django's order: by name. */
export function urlWithParameter(
  { origin, path, query }: Pick<OperationContext<never>, 'origin' | 'path' | 'query'>,
  name: string,
  value: string | undefined,
): string {
  const parameters = new URLSearchParams(query);
  parameters.delete(name);
  if (value !== undefined) parameters.set(name, value);
  parameters.sort();
  const text = parameters.toString();
  return `${origin}${path}${text && '?'}${text}`;
}
