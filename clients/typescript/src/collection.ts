import type { CallOptions, Connection, GalleryRequest } from './connection.ts';
import { type Page, readAll, readPage } from './list.ts';

type ListQuery = GalleryRequest['query'];

/** A collection that is read. */
export class Collection<Item, Query extends ListQuery> {
  constructor(
    protected readonly connection: Connection,
    protected readonly path: string,
  ) {}

  /** All items, for `for await`. */
  list(query?: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined> {
    return readAll<Item>(this.connection, this.path, query, options);
  }

  /** One page, with the count of all. */
  page(query?: Query, options?: CallOptions): Promise<Page<Item>> {
    return readPage<Item>(this.connection, this.path, query, options);
  }
}

/** A collection of which the items have numbers. */
export class Records<Item, Query extends ListQuery> extends Collection<Item, Query> {
  async get(id: number, { signal }: CallOptions = {}): Promise<Item> {
    return (await this.connection.request<Item>({ path: `${this.path}${id}/`, signal })).result;
  }
}
