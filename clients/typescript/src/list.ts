// Lists: one page, or everything by cursor.

import type { CallOptions, Connection, GalleryRequest } from './connection.ts';

export interface Page<Item> {
  /** Missing with cursors. */
  readonly count?: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Item[];
}

export async function readPage<Item>(
  connection: Connection,
  path: string,
  query: GalleryRequest['query'],
  { signal }: CallOptions = {},
): Promise<Page<Item>> {
  return (await connection.request<Page<Item>>({ path, ...(query && { query }), signal })).result;
}

/** Skips and repeats nothing, while others add and delete. */
export async function* readAll<Item>(
  connection: Connection,
  path: string,
  query: GalleryRequest['query'],
  options?: CallOptions,
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page<Item> = await readPage(connection, path, { page_size: 100, ...query, cursor }, options);
    yield* page.results;
    // Behind a proxy, the address in `next` may not be the one that the program uses.
    cursor = page.next && new URL(page.next).searchParams.get('cursor');
  }
}
