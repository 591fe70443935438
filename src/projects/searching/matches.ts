// Finds the projects that match a search: all of them if they are at most `maxMatches`, otherwise the best ones. Better
// is what has the whole words, then what has all words in the title, then in title, tags and name together; of these,
// the highest ids are taken.

import sql, { join } from 'sql-template-tag';
import { currentLifetime } from '#common/request-lifetime.ts';
import { timeLimits } from '#common/time-limits.ts';
import { all, type Database, integer, type Phrase, type RowOf, type SearchedMembers, select } from '#sql';
import { comparePositions } from '../../core/listing/order.ts';
import { projectColumns } from '../project.ts';
import { type ListingOptions, pickPositionColumns, positionIn } from '../reading/listing.ts';
import { findFirst, type positionColumns } from '../reading/read-positions.ts';
import { type EngineFilter, findChangedSince, NoAnswer, type SearchEngine } from './search-engine.ts';

export const maxMatches = 10_000;
/** One match more than are listed shows that there are more. */
const limit = maxMatches + 1;
/** How many an engine is asked for: the viewer may not see some of them. */
export const maxEngineMatches = 12_000;
const idsPerQuery = 1000;

type Row = Partial<RowOf<typeof positionColumns>> & { readonly id: number };
type Match = Row & { readonly tier: number };

export interface Matches {
  /** What was looked for: without words that begin like the last one, if there are enough without them. */
  readonly phrases: readonly Phrase[];
  /** In the order of the listing. */
  readonly rows: readonly Match[];
  /** There are more, or there may be. */
  readonly isTruncated: boolean;
  /** The time was over: another search may find more. */
  readonly wasStopped: boolean;
}

export interface SearchOptions extends Pick<ListingOptions, 'condition' | 'visibility' | 'order'> {
  readonly phrases: readonly Phrase[];
  /** The condition and the columns of the order are those of the index by id. */
  readonly isNewestListed: boolean;
  /** An index finds the few projects that meet the condition. */
  readonly hasFewProjects: boolean;
  /** The condition compares the project with nothing that can change without it. */
  readonly isAdjustable: boolean;
  readonly engineFilter: EngineFilter;
}

const highestId = select({ id: integer(sql`coalesce(max(id), 0)`) }, sql`from project`);

export async function findMatches(
  database: Database,
  options: SearchOptions,
  engine?: SearchEngine,
): Promise<Matches> {
  if (engine && !options.hasFewProjects) {
    try {
      const find = await findWithEngine(engine, database, options);
      return toMatches(options, await findBest(find, options.phrases), false);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
  }
  const end = performance.now() + timeLimits.search;
  let wasStopped = false;
  const isOver = () => {
    wasStopped ||= performance.now() > end;
    return wasStopped;
  };
  const highest = await database.first(highestId);
  const find: FindRows = (phrases, members) =>
    findRows(database, options, phrases, members, highest?.id ?? 0, isOver);
  const found = await ((highest?.id ?? 0) <= maxMatches ? findAll : findBest)(find, options.phrases);
  if (wasStopped) currentLifetime()?.forbidCaching();
  return toMatches(options, found, wasStopped);
}

/** Throws NoAnswer if the engine is not up to date, or gives too many that the viewer may not see. */
async function findWithEngine(
  engine: SearchEngine,
  database: Database,
  options: SearchOptions,
): Promise<FindRows> {
  const changed = await findChangedSince(database, await engine.position());
  const columns = matchColumns(options);
  const known = new Map<number, Row | undefined>();
  const load = async (ids: readonly number[]) => {
    const rows = await all(database.slowReader, columns)`from project
      where id in (${join([...ids])}) and ${options.condition}`;
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) known.set(id, byId.get(id));
  };
  return async (phrases, members) => {
    const query = { ...options.engineFilter, phrases, members, limit: maxEngineMatches };
    const found = await engine.find(query);
    const ids = found.filter((id) => !changed.has(id));
    const unknown = ids.filter((id) => !known.has(id));
    for (let start = 0; start < unknown.length; start += idsPerQuery)
      await load(unknown.slice(start, start + idsPerQuery));
    const rows = ids.flatMap((id) => known.get(id) ?? []);
    if (changed.size > 0)
      rows.push(...(await findChanged(database, options, phrases, members, [...changed])));
    if (found.length === maxEngineMatches && rows.length < limit) throw new NoAnswer();
    return rows.sort((one, other) => other.id - one.id).slice(0, limit);
  };
}

function toMatches(options: SearchOptions, { phrases, tiers }: FoundRows, wasStopped: boolean): Matches {
  const found = bestOf(tiers);
  const rows = found
    .slice(0, maxMatches)
    .map((match) => ({ match, position: positionIn(options.order, match) }))
    .sort((one, other) => comparePositions(options.order, one.position, other.position))
    .map(({ match }) => match);
  return { phrases, rows, isTruncated: found.length > maxMatches || wasStopped, wasStopped };
}

/** Searches the changed projects again. Undefined if projects that were not listed may take their places. */
export async function adjustMatches(
  database: Database,
  options: SearchOptions,
  matches: Matches,
  changed: readonly number[],
): Promise<Matches | undefined> {
  const { order } = options;
  const find: FindRows = (phrases, members) => findChanged(database, options, phrases, members, changed);
  const { tiers } = await findAll(find, matches.phrases);
  const areChanged = new Set(changed);
  const rows = matches.rows.filter(({ id }) => !areChanged.has(id));
  const last = matches.isTruncated ? worstOf(matches.rows) : undefined;
  for (const match of bestOf(tiers)) {
    if (last && isBetter(last, match)) continue;
    const position = positionIn(order, match);
    rows.splice(
      findFirst(rows, (row) => comparePositions(order, positionIn(order, row), position) > 0),
      0,
      match,
    );
  }
  if (matches.isTruncated ? rows.length < maxMatches : rows.length > maxMatches) return undefined;
  while (rows.length > maxMatches) rows.splice(rows.indexOf(worstOf(rows)), 1);
  return { ...matches, rows };
}

const isBetter = (one: Match, other: Match) =>
  one.tier < other.tier || (one.tier === other.tier && one.id > other.id);

const worstOf = (matches: readonly Match[]): Match =>
  matches.reduce((worst, match) => (isBetter(worst, match) ? match : worst));

function bestOf(tiers: Tiers): Match[] {
  const found = new Map<number, Match>();
  for (const [index, rows] of tiers.entries())
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, { ...row, tier: index + 1 });
  return [...found.values()];
}

type FindRows = (phrases: readonly Phrase[], members: SearchedMembers) => Promise<Row[]>;

/** The matches of each tier and of those before it; the last tiers may be missing if there are enough without them. */
type Tiers = readonly (readonly Row[])[];

interface FoundRows {
  readonly phrases: readonly Phrase[];
  readonly tiers: Tiers;
}

/**
 * There cannot be more than are listed. One query follows another, so that a search has one place in the queue of slow
 * reads.
 */
async function findAll(find: FindRows, phrases: readonly Phrase[]): Promise<FoundRows> {
  const all = await find(phrases, 'all');
  if (all.length === 0) return { phrases, tiers: [] };
  return { phrases, tiers: [await find(phrases, 'title'), await find(phrases, 'title, tags and name'), all] };
}

/** If enough projects have the whole words, those with words that begin like the last one are not looked for. */
async function findBest(find: FindRows, phrases: readonly Phrase[]): Promise<FoundRows> {
  const hasPrefix = phrases.some(({ isPrefix }) => isPrefix);
  const wholeWords = phrases.map((phrase) => ({ ...phrase, isPrefix: false }));
  const withWholeWords = hasPrefix ? await find(wholeWords, 'all') : [];
  const isEnough = withWholeWords.length === limit;
  const searched = isEnough ? wholeWords : phrases;
  const found = (...tiers: Tiers) => ({ phrases: searched, tiers });
  const inTitle = await find(searched, 'title');
  if (inTitle.length === limit) return found(inTitle);
  const inHead = await find(searched, 'title, tags and name');
  if (inHead.length === limit) return found(inTitle, inHead);
  return found(inTitle, inHead, isEnough ? withWholeWords : await find(searched, 'all'));
}

/** Of a few projects, those that match. */
function findChanged(
  database: Database,
  options: SearchOptions,
  phrases: readonly Phrase[],
  members: SearchedMembers,
  changed: readonly number[],
): Promise<Row[]> {
  const condition = sql`id in (${join([...changed])}) and ${options.condition}`;
  return findRows(
    database,
    { ...options, condition, hasFewProjects: true },
    phrases,
    members,
    0,
    () => false,
  );
}

const matchColumns = ({ order }: SearchOptions) => ({
  id: projectColumns.id,
  ...pickPositionColumns(order),
});

function findRows(
  database: Database,
  options: SearchOptions,
  phrases: readonly Phrase[],
  members: SearchedMembers,
  highestId: number,
  isOver: () => boolean,
): Promise<Row[]> {
  const { condition, hasFewProjects, isNewestListed } = options;
  const columns = matchColumns(options);
  // In the order of `id`, all projects might be read.
  if (hasFewProjects)
    return all(database.slowReader, columns)`from project
      where ${condition} and ${database.searchCondition(phrases, members)}
      order by id + 0 desc limit ${limit}`;
  const index = isNewestListed ? 'project_by_id' : undefined;
  const query = { columns, phrases, members, condition, index, limit, highestId, isOver };
  return database.findMatches(database.slowReader, query);
}
