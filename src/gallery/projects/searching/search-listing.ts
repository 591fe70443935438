// The pages of a search. What it finds is found once for all pages, and again after anything in the gallery has changed.

import { join } from 'sql-template-tag';
import type { Database } from '../../../database/database.ts';
import { all } from '../../../database/query.ts';
import { comparePositions, type Position, reverseOrder } from '../../listing/order.ts';
import type { Project } from '../project.ts';
import { entryColumns, loadVisible, positionIn, splitBySize } from '../reading/listing.ts';
import { findMatches, type Matches, type SearchOptions } from './find-matches.ts';

const maxSearches = 8;
/** Of a whole list, the sizes of this many projects are read at a time. */
const entriesPerStep = 500;

/** The last searches, for their further pages. */
export class SearchCache {
  #searches = new Map<string, Matches>();
  #generation: number | undefined;

  async find(key: string, generation: number | undefined, search: () => Promise<Matches>): Promise<Matches> {
    if (generation !== this.#generation) this.#searches.clear();
    this.#generation = generation;
    // A running search is not shared: it ends with its own request.
    const matches = this.#searches.get(key) ?? (await search());
    if (matches.wasStopped || generation === undefined || generation !== this.#generation) return matches;
    this.#searches.delete(key);
    this.#searches.set(key, matches);
    for (const oldest of this.#searches.keys()) {
      if (this.#searches.size > maxSearches) this.#searches.delete(oldest);
      else break;
    }
    return matches;
  }
}

export class SearchListing {
  /** Identifies the listing: the search, its conditions for the viewer, its filters and its order. */
  readonly cursorScope: string;
  #matches: Promise<Matches> | undefined;

  constructor(
    private readonly database: Database,
    private readonly cache: SearchCache,
    private readonly options: SearchOptions,
  ) {
    const { phrases, condition, order } = options;
    this.cursorScope = JSON.stringify([phrases, condition.sql, condition.values, order]);
  }

  async count(): Promise<number> {
    return (await this.#find()).rows.length;
  }

  /** Whether there are more matches than the listing has. */
  async isTruncated(): Promise<boolean> {
    return (await this.#find()).isTruncated;
  }

  async page(offset: number, size: number): Promise<Project[]> {
    return this.#load((await this.#find()).rows.slice(offset, offset + size));
  }

  /** The rows after a position; backwards, those before it, with the nearest last. */
  async seek(from: Position | undefined, size: number, backwards: boolean): Promise<Project[]> {
    const { rows } = await this.#find();
    const order = backwards ? reverseOrder(this.options.order) : this.options.order;
    const ordered = backwards ? rows.toReversed() : rows;
    const start = from
      ? ordered.findIndex((row) => comparePositions(order, this.positionOf(row), from) > 0)
      : 0;
    const found = await this.#load(start < 0 ? [] : ordered.slice(start, start + size));
    return backwards ? found.reverse() : found;
  }

  async *batches(): AsyncGenerator<Project[], void> {
    const { slowReader } = this.database;
    const { rows } = await this.#find();
    for (let start = 0; start < rows.length; start += entriesPerStep) {
      const ids = rows.slice(start, start + entriesPerStep).map(({ id }) => id);
      const entries = await all(slowReader, entryColumns)`from project where id in (${join(ids)})`;
      const bytes = new Map(entries.map((entry) => [entry.id, entry.bytes]));
      for (const batch of splitBySize(ids.map((id) => ({ id, bytes: bytes.get(id) ?? 0 }))))
        yield loadVisible(slowReader, batch, this.options.visibility);
    }
  }

  positionOf(row: Parameters<typeof positionIn>[1]): Position {
    return positionIn(this.options.order, row);
  }

  /** With their tiers, which belong to a position. */
  async #load(matches: Matches['rows']): Promise<Project[]> {
    const ids = matches.map(({ id }) => id);
    const projects = await loadVisible(this.database, ids, this.options.visibility);
    const tierOf = new Map(matches.map(({ id, tier }) => [id, tier]));
    return projects.map((project) => ({ ...project, tier: tierOf.get(project.id) }));
  }

  #find(): Promise<Matches> {
    this.#matches ??= this.cache.find(this.cursorScope, this.database.generation(), () =>
      findMatches(this.database, this.options),
    );
    return this.#matches;
  }
}
