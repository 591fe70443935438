// The two ways to walk a listing: by numbered pages in Django REST framework's envelope, and by cursors, which
// neither skip nor repeat an item while others come and go.

import { z } from 'zod';
import { Invalid, NotFound } from '../errors.ts';
import type { Call, Parameters } from './resource.ts';

const defaultSize = 20;
const largestSize = 100;

/** A listing of something, in a total order. */
export interface Listing<Item, Position> {
  /** Tells it from every other listing: its cursors fit no other. */
  readonly identity: string;
  count(): Promise<number>;
  page(offset: number, size: number): Promise<Item[]>;
  /** The items behind a position, or the nearest before it, in the listing's order. */
  beyond(position: Position | undefined, size: number, backwards: boolean): Promise<Item[]>;
  position(item: Item): Position;
}

export const pageParameters: Parameters = {
  page: { description: 'A page from 1 on, or `last`.', schema: z.string(), emptyCounts: true },
  page_size: {
    description: `How many items a page has, at most ${largestSize}; ${defaultSize} unless given.`,
    schema: z.string(),
  },
  cursor: {
    description: 'Walks the listing by cursors instead of pages: empty to begin, then as `next` has it.',
    schema: z.string(),
    emptyCounts: true,
  },
};

export function envelope(item: z.ZodType) {
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

export async function paginate<Item, Position, Caller>(
  listing: Listing<Item, Position>,
  call: Call<Caller>,
  secret: string,
  render: (items: Item[]) => unknown[] | Promise<unknown[]>,
): Promise<Record<string, unknown>> {
  const size = sizeOf(call);
  const cursor = call.given.get('cursor');
  const page = cursor
    ? await byCursor(listing, call, size, new Cursors<Position>(secret, listing.identity), cursor.text)
    : await byNumber(listing, call, size);
  return { ...page, results: await render(page.results) };
}

function sizeOf<Caller>({ given, strict }: Call<Caller>): number {
  const text = given.get('page_size')?.text;
  if (text === undefined) return defaultSize;
  const size = wholeIn(text);
  if (strict && (size < 1 || size > largestSize)) {
    throw new Invalid({ page_size: [`Enter a whole number from 1 to ${largestSize}.`] });
  }
  return bounded(size);
}

const wholeIn = (text: string) => (/^\d+$/.test(text) ? Number(text) : 0);
const bounded = (size: number) => (size < 1 ? defaultSize : Math.min(size, largestSize));

/** Where in a numbered listing a query that was answered stands. */
export function pagesOf(count: number, query: URLSearchParams): { number: number; last: number } {
  const last = lastPage(count, bounded(wholeIn(query.getAll('page_size').at(-1) ?? '')));
  return { number: pageNumber(query.getAll('page').at(-1) ?? '1', last), last };
}

const lastPage = (count: number, size: number) => Math.max(1, Math.ceil(count / size));

async function byNumber<Item, Position, Caller>(
  listing: Listing<Item, Position>,
  call: Call<Caller>,
  size: number,
) {
  const count = await listing.count();
  const last = lastPage(count, size);
  const number = pageNumber(call.given.get('page')?.text ?? '1', last);
  const results = count === 0 ? [] : await listing.page((number - 1) * size, size);
  return {
    count,
    next: number < last ? addressWith(call, 'page', String(number + 1)) : null,
    previous: number > 1 ? addressWith(call, 'page', number === 2 ? undefined : String(number - 1)) : null,
    results,
  };
}

function pageNumber(text: string, last: number): number {
  const number = text === 'last' ? last : /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > last) throw new NotFound('Invalid page.');
  return number;
}

async function byCursor<Item, Position, Caller>(
  listing: Listing<Item, Position>,
  call: Call<Caller>,
  size: number,
  cursors: Cursors<Position>,
  text: string,
) {
  const { backwards, position } =
    text === '' ? { backwards: false, position: undefined } : cursors.open(text);
  const results = await listing.beyond(position, size + 1, backwards);
  const more = results.length > size;
  if (more) results.splice(backwards ? 0 : size, 1);
  const [first, last] = [results[0], results.at(-1)];
  const link = (item: Item | undefined, back: boolean) =>
    item === undefined ? null : addressWith(call, 'cursor', cursors.seal(back, listing.position(item)));
  return {
    next: backwards || more ? link(last, false) : null,
    previous: (backwards ? more : position !== undefined) ? link(first, true) : null,
    results,
  };
}

/** Cursors are sealed for one listing, so that one that was altered or belongs elsewhere is known. */
class Cursors<Position> {
  constructor(
    private readonly secret: string,
    private readonly identity: string,
  ) {}

  seal(backwards: boolean, position: Position): string {
    const content = Buffer.from(JSON.stringify([backwards ? 1 : 0, position])).toString('base64url');
    return `${content}.${this.#sign(content)}`;
  }

  open(cursor: string): { backwards: boolean; position: Position } {
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
      .update(`${this.identity}\n${content}`)
      .digest('base64url')
      .slice(0, 22);
  }
}

/** The request's own address with one parameter changed and all others kept, in Django's order: by name. */
export function addressWith(
  { base, path, query }: Pick<Call<never>, 'base' | 'path' | 'query'>,
  name: string,
  value: string | undefined,
): string {
  const changed = new URLSearchParams(query);
  changed.delete(name);
  if (value !== undefined) changed.set(name, value);
  changed.sort();
  const text = changed.toString();
  return `${base}${path}${text && '?'}${text}`;
}
