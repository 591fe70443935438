// The pages of a search. What it finds is found once for all pages. After changes, only the projects that have changed are
// searched again, where nothing else decides what the listing has.

import { join } from 'sql-template-tag';
import { all, type ColumnsOf, type Database } from '#sql';
import { comparePositions, type Position, reverseOrder } from '../../core/listing/order.ts';
import type { Project } from '../project.ts';
import {
  entryColumns,
  type ListedRow,
  loadVisible,
  loadVisibleRows,
  pickPositionColumns,
  positionIn,
  splitBySize,
} from '../reading/listing.ts';
import { adjustMatches, findMatches, type Matches, type SearchOptions } from './matches.ts';
import type { SearchEngine } from './search-engine.ts';

const maxSearches = 8;
/** Of a whole list, the sizes of this many projects are read at a time. */
const entriesPerStep = 500;

/** With more changes than this since the last one, a search is made anew. */
const maxChanged = 100;
/** The same since it was made: whether whole words are enough was decided then. */
const maxChangedInAll = 1000;

interface KnownSearch {
  readonly matches: Matches;
  /** Before the matches were found, or searched again. */
  readonly generation: number;
  readonly madeAt: number;
}

/** The last searches, for their further pages. */
export class SearchCache {
  #searches = new Map<string, KnownSearch>();

  constructor(
    private readonly database: Database,
    private readonly engine: SearchEngine | undefined,
  ) {}

  async find(key: string, options: SearchOptions): Promise<Matches> {
    const generation = this.database.generation();
    const known = generation === undefined ? undefined : this.#searches.get(key);
    if (known?.generation === generation && known) return this.#keep(key, known);
    // A running search is not shared: it ends with its own request.
    const adjusted = known && (await this.#adjust(known, options));
    const matches = adjusted ?? (await findMatches(this.database, options, this.engine));
    if (matches.wasStopped || generation === undefined) return matches;
    return this.#keep(key, { matches, generation, madeAt: (adjusted && known?.madeAt) ?? generation });
  }

  async #adjust({ matches, generation, madeAt }: KnownSearch, options: SearchOptions) {
    const changed = this.database
      .changedSince(madeAt, maxChangedInAll)
      ?.filter((project) => this.database.hasChanged(project, generation));
    if (!options.isAdjustable || !changed || changed.length > maxChanged) return undefined;
    return changed.length === 0 ? matches : adjustMatches(this.database, options, matches, changed);
  }

  #keep(key: string, search: KnownSearch): Matches {
    this.#searches.delete(key);
    this.#searches.set(key, search);
    for (const oldest of this.#searches.keys()) {
      if (this.#searches.size > maxSearches) this.#searches.delete(oldest);
      else break;
    }
    return search.matches;
  }
}

export class SearchListing<Row extends ListedRow = Project> {
  /** Identifies the listing: the search, its conditions for the viewer, its filters and its order. */
  readonly cursorScope: string;
  #matches: Promise<Matches> | undefined;

  constructor(
    private readonly database: Database,
    private readonly cache: SearchCache,
    private readonly options: SearchOptions,
    private readonly columns: ColumnsOf<Row>,
  ) {
    const { phrases, condition, order } = options;
    this.cursorScope = JSON.stringify([phrases, condition.sql, condition.values, order]);
  }

  /** The same listing with these columns. */
  select<Other extends ListedRow>(columns: ColumnsOf<Other>): SearchListing<Other> {
    return new SearchListing(this.database, this.cache, this.options, columns);
  }

  /** The projects with these ids, without those that the viewer may no longer see. */
  load(ids: readonly number[]): Promise<Project[]> {
    return loadVisible(this.database, ids, this.options.visibility);
  }

  async count(): Promise<number> {
    return (await this.#find()).rows.length;
  }

  /** Whether there are more matches than the listing has. */
  async isTruncated(): Promise<boolean> {
    return (await this.#find()).isTruncated;
  }

  async page(offset: number, size: number): Promise<Row[]> {
    return this.#load((await this.#find()).rows.slice(offset, offset + size));
  }

  /** The rows after a position; backwards, those before it, with the nearest last. */
  async seek(from: Position | undefined, size: number, backwards: boolean): Promise<Row[]> {
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
  async #load(matches: Matches['rows']): Promise<Row[]> {
    const ids = matches.map(({ id }) => id);
    const columns: ColumnsOf<Row> = { ...this.columns, ...pickPositionColumns(this.options.order) };
    const projects = await loadVisibleRows(this.database, ids, this.options.visibility, columns);
    const tierOf = new Map(matches.map(({ id, tier }) => [id, tier]));
    return projects.map((project) => ({ ...project, tier: tierOf.get(project.id) }));
  }

  #find(): Promise<Matches> {
    this.#matches ??= this.cache.find(this.cursorScope, this.options);
    return this.#matches;
  }
}
