// The pages of the old site's listing, in the order of their ids. They are read from the last to the first: an item that
// is deleted meanwhile moves others to a lower page, which is still to come, and a new item is put after the last. So
// nothing is skipped, and what is read twice is stored once.

import { OperatorError } from '../../packages/common/src/errors.ts';
import type { OldSite } from './old-site.ts';
import { type OldPage, type OldRecord, parsePage, type TooLarge } from './record.ts';

/** Query parameters that filter the listing. */
export type Filter = Readonly<Record<string, string>>;

interface Position {
  readonly page: number;
  /** The page size of the old site, which may be less than requested. */
  readonly pageSize: number;
}

export type ListedRecord = OldRecord | TooLarge;

interface WalkOptions {
  /** Where an earlier walk was interrupted. */
  readonly after?: Position;
  readonly store: (records: readonly ListedRecord[], position: Position) => void;
}

const requestedPageSize = '100';

export class Listing {
  readonly #site: OldSite;
  readonly #filter: Filter;
  readonly #ordering: string;

  constructor(site: OldSite, filter: Filter, ordering = 'id') {
    this.#site = site;
    this.#filter = filter;
    this.#ordering = ordering;
  }

  /** All pages from the first to the last. */
  async *pages(): AsyncGenerator<readonly ListedRecord[]> {
    const first = await this.#readFirst();
    const paging = findPaging(first);
    let read: OldPage | undefined = first;
    for (let page = 2; read; page++) {
      yield read.results;
      read = paging && read.next !== null ? await this.#readPage(paging.toQuery(page)) : undefined;
    }
  }

  /** The number of items. */
  async count(): Promise<number> {
    return (await this.#readFirst()).count;
  }

  /** Reads all pages, and what is newer; returns the number of items at the end. */
  async walk({ after, store }: WalkOptions): Promise<number> {
    const first = await this.#readFirst();
    const paging = findPaging(first);
    if (!paging) {
      store(first.results, { page: 1, pageSize: first.count });
      return first.count;
    }
    const { pageSize } = paging;
    const start = after?.pageSize === pageSize ? after.page - 1 : Math.ceil(first.count / pageSize);
    for (let page = start; page >= 1; page--) {
      const read = await this.#readPage(paging.toQuery(page));
      store(read?.results ?? [], { page, pageSize });
    }
    return this.readEnd((records) => store(records, { page: 1, pageSize }));
  }

  /** Reads the last page, and what comes after it meanwhile; returns the number of items. */
  async readEnd(store: (records: readonly ListedRecord[]) => void): Promise<number> {
    const first = await this.#readFirst();
    const paging = findPaging(first);
    if (!paging) {
      store(first.results);
      return first.count;
    }
    let { count } = first;
    let page = Math.ceil(count / paging.pageSize);
    let read = await this.#readPage(paging.toQuery(page));
    // So many were deleted that there is no such page any more.
    while (!read && page > 1) read = await this.#readPage(paging.toQuery(--page));
    while (read) {
      store(read.results);
      count = read.count;
      read = read.next === null ? undefined : await this.#readPage(paging.toQuery(++page));
    }
    return count;
  }

  async #readFirst(): Promise<OldPage> {
    const page = await this.#readPage({});
    if (!page) throw new OperatorError(`There is no listing at ${this.#site.address}projects/.`);
    return page;
  }

  async #readPage(position: Filter): Promise<OldPage | undefined> {
    const query = new URLSearchParams({
      ...this.#filter,
      ordering: this.#ordering,
      page_size: requestedPageSize,
      ...position,
    });
    const data = await this.#site.read(`projects/?${query}`);
    if (data === undefined) return undefined;
    const page = parsePage(data, `${this.#site.address}projects/`);
    const isSorted = page.results.every(({ id }, index) => id > (page.results[index - 1]?.id ?? 0));
    if (this.#ordering === 'id' && !isSorted)
      throw new OperatorError(`The listing at ${this.#site.address}projects/ is not sorted by ordering=id.`);
    return page;
  }
}

interface Paging {
  readonly pageSize: number;
  toQuery(page: number): Filter;
}

/** How the address of the second page names it; undefined if the first is the only one. */
function findPaging({ next, results }: OldPage): Paging | undefined {
  if (next === null) return undefined;
  const query = URL.parse(next, 'http://localhost/')?.searchParams;
  if (query?.get('page') === '2' && results.length > 0)
    return { pageSize: results.length, toQuery: (page) => ({ page: String(page) }) };
  const offset = Number(query?.get('offset'));
  if (offset > 0 && offset === results.length)
    return {
      pageSize: offset,
      toQuery: (page) => ({ limit: String(offset), offset: String((page - 1) * offset) }),
    };
  throw new OperatorError('The listing names its next page neither by page nor by offset.');
}
