// The pages of a search. What it finds is found once for all pages, and again after anything in the gallery has changed.

import sql, { join } from 'sql-template-tag';
import { currentLifetime } from '../../../common/request-lifetime.ts';
import { type ColumnsOf, integer, type RowOf } from '../../../database/columns.ts';
import type { Database } from '../../../database/database.ts';
import { all, select } from '../../../database/query.ts';
import type { Phrase, SearchedMembers } from '../../../database/search.ts';
import { comparePositions, type Position, reverseOrder } from '../../listing/order.ts';
import { type Project, projectColumns } from '../project.ts';
import {
  entryColumns,
  idColumn,
  type ListedRow,
  type ListingOptions,
  loadVisible,
  loadVisibleRows,
  pickPositionColumns,
  positionIn,
  splitBySize,
} from '../reading/listing.ts';
import type { positionColumns } from '../reading/read-positions.ts';

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

  /** The same listing of ids. */
  get ids(): SearchListing<RowOf<typeof idColumn>> {
    return new SearchListing(this.database, this.cache, this.options, idColumn);
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
    this.#matches ??= this.cache.find(this.cursorScope, this.database.generation(), () =>
      findMatches(this.database, this.options),
    );
    return this.#matches;
  }
}

// Finds the projects that match a search: all of them if they are at most `maxMatches`, otherwise the best ones. Better
// is what has the whole words, then what has all words in the title, then in title, tags and name together; of these,
// the highest ids are taken.

export const maxMatches = 10_000;
/** One match more than are listed shows that there are more. */
const limit = maxMatches + 1;
/** After this time, no further matches are looked for. */
const searchMs = 2000;

type Row = Partial<RowOf<typeof positionColumns>> & { readonly id: number };
type Match = Row & { readonly tier: number };

export interface Matches {
  /** In the order of the listing. */
  readonly rows: readonly Match[];
  /** There are more, or there may be. */
  readonly isTruncated: boolean;
  /** The time was over: another search may find more. */
  readonly wasStopped: boolean;
}

interface SearchOptions extends Pick<ListingOptions, 'condition' | 'visibility' | 'order'> {
  readonly phrases: readonly Phrase[];
  /** The condition and the columns of the order are those of the index by id. */
  readonly isNewestListed: boolean;
  /** An index finds the few projects that meet the condition. */
  readonly hasFewProjects: boolean;
}

const highestId = select({ id: integer(sql`coalesce(max(id), 0)`) }, sql`from project`);

export async function findMatches(database: Database, options: SearchOptions): Promise<Matches> {
  const end = performance.now() + searchMs;
  let wasStopped = false;
  const isOver = () => {
    wasStopped ||= performance.now() > end;
    return wasStopped;
  };
  const highest = await database.first(highestId);
  const find: FindRows = (phrases, members) =>
    findRows(database, options, phrases, members, highest?.id ?? 0, isOver);
  const tiers = await ((highest?.id ?? 0) <= maxMatches ? findAll : findBest)(find, options.phrases);
  const found = new Map<number, Match>();
  for (const [index, rows] of tiers.entries())
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, { ...row, tier: index + 1 });
  const rows = [...found.values()]
    .slice(0, maxMatches)
    .map((match) => ({ match, position: positionIn(options.order, match) }))
    .sort((one, other) => comparePositions(options.order, one.position, other.position))
    .map(({ match }) => match);
  if (wasStopped) currentLifetime()?.forbidCaching();
  return { rows, isTruncated: found.size > maxMatches || wasStopped, wasStopped };
}

type FindRows = (phrases: readonly Phrase[], members: SearchedMembers) => Promise<Row[]>;

/** The matches of each tier and of those before it; the last tiers may be missing if there are enough without them. */
type Tiers = readonly (readonly Row[])[];

/**
 * There cannot be more than are listed. One query follows another, so that a search has one place in the queue of slow
 * reads.
 */
async function findAll(find: FindRows, phrases: readonly Phrase[]): Promise<Tiers> {
  const all = await find(phrases, 'all');
  if (all.length === 0) return [];
  return [await find(phrases, 'title'), await find(phrases, 'title, tags and name'), all];
}

/** If enough projects have the whole words, those with words that begin like the last one are not looked for. */
async function findBest(find: FindRows, phrases: readonly Phrase[]): Promise<Tiers> {
  const hasPrefix = phrases.some(({ isPrefix }) => isPrefix);
  const wholeWords = phrases.map((phrase) => ({ ...phrase, isPrefix: false }));
  const withWholeWords = hasPrefix ? await find(wholeWords, 'all') : [];
  const isEnough = withWholeWords.length === limit;
  const searched = isEnough ? wholeWords : phrases;
  const inTitle = await find(searched, 'title');
  if (inTitle.length === limit) return [inTitle];
  const inHead = await find(searched, 'title, tags and name');
  if (inHead.length === limit) return [inTitle, inHead];
  return [inTitle, inHead, isEnough ? withWholeWords : await find(searched, 'all')];
}

function findRows(
  database: Database,
  { condition, order, hasFewProjects, isNewestListed }: SearchOptions,
  phrases: readonly Phrase[],
  members: SearchedMembers,
  highestId: number,
  isOver: () => boolean,
): Promise<Row[]> {
  const columns = { id: projectColumns.id, ...pickPositionColumns(order) };
  // In the order of `id`, all projects might be read.
  if (hasFewProjects)
    return all(database.slowReader, columns)`from project
      where ${condition} and ${database.searchCondition(phrases, members)}
      order by id + 0 desc limit ${limit}`;
  const index = isNewestListed ? 'project_by_id' : undefined;
  const query = { columns, phrases, members, condition, index, limit, highestId, isOver };
  return database.findMatches(database.slowReader, query);
}
