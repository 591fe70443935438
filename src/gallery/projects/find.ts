// Reads of projects. Each starts from what the reader may see; a project that is hidden is not found.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, Reads } from '../../database/open.ts';
import { NotFound } from '../../errors.ts';
import type { Instant } from '../instant.ts';
import { coversOf, mediaOf } from '../media/find.ts';
import type { Media } from '../media/media.ts';
import type { Viewer } from '../viewer.ts';
import { Counts } from './counts.ts';
import { type Filter, projectFilters } from './filters.ts';
import { Milestones } from './milestones.ts';
import {
  bestFirst,
  beyond,
  columnsOf,
  newestFirst,
  type Order,
  oldestFirst,
  orderBy,
  type Position,
  reversed,
} from './order.ts';
import { contentTypes, type Project } from './project.ts';
import { foundBy, isErased, listedFor, readableBy, trashedFor } from './visible.ts';

/** Look-ups of one value each: SQLite answers them ten times sooner than a join, PostgreSQL as soon. */
const ofContributor = (column: string) =>
  `(select ${column} from contributor where contributor.id = project.contributor) as ${column}`;

const names = raw(['username', 'first_name', 'last_name'].map(ofContributor).join(', '));

const columns =
  raw(`id, uuid, slug, title, title_key, content_type, contributor, last_name_key, copied_from, parent, link,
  visibility, coalesce(trashed_status, status) as status, tags, text, rating_count, rating_sum, karma, created, modified, touched,
  ${names.sql}`);

/** The rows behind `Project` carry the sort keys too: they say where in an order a project stands. */
type Row = Project & { title_key: string; last_name_key: string; tier: number };

export type Mentioned = Pick<
  Project,
  'id' | 'uuid' | 'slug' | 'title' | 'contributor' | 'username' | 'first_name' | 'last_name'
>;

export type LookedAfter = Project & { readonly trashed: Instant | null };

export interface Kind extends Pick<Project, 'content_type' | 'karma'> {
  count: number;
}

interface Chosen {
  readonly filter: Filter;
  readonly value: unknown;
  readonly text: string;
}

/** Filters by their names, as a request gave them. */
export type Choices = ReadonlyMap<string, Chosen>;

export class ProjectFinder {
  #milestones = new Milestones();
  #counts: Counts;
  readonly filters: Readonly<Record<string, Filter>>;

  /** Times without an offset are meant in the zone. */
  constructor(
    private readonly database: Database,
    zone: string,
  ) {
    this.#counts = new Counts(database);
    this.filters = projectFilters(zone);
  }

  /** What was read already, by the filters' names; other names are passed over. */
  choicesOf(given: Iterable<readonly [name: string, given: { text: string; value: unknown }]>): Choices {
    const choices = new Map<string, Chosen>();
    for (const [name, { text, value }] of given) {
      const filter = Object.hasOwn(this.filters, name) ? this.filters[name] : undefined;
      if (filter) choices.set(name, { filter, text, value });
    }
    return choices;
  }

  /** A filter by its text; what the filter cannot read is not found. */
  choose(name: string, text: string): Choices {
    const read = this.filters[name]?.schema.safeParse(text);
    if (!read?.success) throw new NotFound();
    return this.choicesOf([[name, { text, value: read.data }]]);
  }

  async one(viewer: Viewer, id: number, choices: Choices = new Map()): Promise<Project> {
    return this.#only([readableBy(viewer), sql`id = ${id}`, ...this.#conditions(viewer, choices)]);
  }

  async byUuid(viewer: Viewer, uuid: string): Promise<Project> {
    return this.#only([readableBy(viewer), sql`uuid = ${uuid}`]);
  }

  /** Best first if what is searched for can fit more or less well, else newest first, unless an order is given. */
  listing(viewer: Viewer, choices: Choices = new Map(), asked?: Order): ProjectListing {
    const ranked = asked ? undefined : this.#ranked(viewer, choices);
    const order = asked ?? (ranked ? bestFirst : newestFirst);
    const ask = { status: choices.has('status'), own: choices.get('contributor')?.text === 'me' };
    const condition = join([listedFor(viewer, ask), ...this.#conditions(viewer, choices)], ' and ');
    const tallied = !ask.own && [...choices.values()].every(({ filter }) => filter.tallied);
    const index = ask.own ? undefined : indexOf(choices, order);
    return new ProjectListing(this.database, this.#milestones, this.#counts, {
      condition,
      order,
      tallied,
      index,
      ranked,
    });
  }

  /** The thread of a project, or what answers a comment, oldest first. */
  comments(viewer: Viewer, { id, content_type }: Pick<Project, 'id' | 'content_type'>): ProjectListing {
    const found = sql`content_type = 'comment' and ${foundBy(viewer)}`;
    if (content_type === 'comment') return this.#plain(sql`parent = ${id} and ${found}`, oldestFirst);
    return this.#plain(sql`root = ${id} and ${found}`, oldestFirst, 'project_by_root');
  }

  /** Whether there is any copy, whoever may see it. */
  async isCopied({ id }: Pick<Project, 'id'>): Promise<boolean> {
    const copy = await this.database.first(sql`select id from project where copied_from = ${id} limit 1`);
    return copy !== undefined;
  }

  /** What is known of others by where they are mentioned; who may not come upon one hears nothing. */
  async mentioned(viewer: Viewer, ids: readonly number[]): Promise<Map<number, Mentioned>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.all<Mentioned>(
      sql`select id, uuid, slug, title, contributor, ${names}
          from project where id in (${join([...new Set(ids)])}) and ${foundBy(viewer)}`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The files of projects that the reader was shown. */
  media(ids: readonly number[]): Promise<Map<number, Media[]>> {
    return mediaOf(this.database, ids);
  }

  /** The first picture of each. */
  covers(ids: readonly number[]): Promise<Map<number, Media>> {
    return coversOf(this.database, ids);
  }

  /** What is or was at an address, for who may see all of it. */
  async idOf(uuid: string): Promise<number | undefined> {
    return (await this.database.first<{ id: number }>(sql`select id from project where uuid = ${uuid}`))?.id;
  }

  /** Whatever their state, and since when what is in the trash lies there: for who looks after them. */
  async lookedAfter(ids: readonly number[]): Promise<Map<number, LookedAfter>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.all<LookedAfter>(
      sql`select ${columns}, trashed from project where id in (${join([...new Set(ids)])}) and not ${isErased}`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** How many comments answer each directly, counted up to `most`. */
  async answers(viewer: Viewer, ids: readonly number[], most: number): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.all<{ id: number; count: number }>(
      sql`select asked.id, (select count(*) from (
            select 1 from project where parent = asked.id and content_type = 'comment' and ${foundBy(viewer)} limit ${most}
          ) as counted) as count from project as asked where asked.id in (${join([...ids])})`,
    );
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** How many listed projects of each type a contributor has, and their karma. */
  kinds(viewer: Viewer, contributor: number): Promise<Kind[]> {
    return this.database.slow.all<Kind>(
      sql`select content_type, count(*) as count, cast(sum(karma) as bigint) as karma from project
          where contributor = ${contributor} and ${listedFor(viewer, { status: false, own: false })}
          group by content_type`,
    );
  }

  /** What was taken away; of their own, its contributor is also shown what a moderator took. */
  trash(viewer: Viewer): ProjectListing {
    return this.#plain(trashedFor(viewer), newestFirst);
  }

  /** One that this reader may bring back: what somebody else threw away, only moderators do. */
  async restorable(viewer: Viewer, id: number): Promise<Project> {
    const whose = viewer.moderates ? sql`1 = 1` : sql`trashed_by = ${viewer.contributor}`;
    return this.#only([trashedFor(viewer), sql`id = ${id}`, whose]);
  }

  #plain(condition: Sql, order: Order, index?: string): ProjectListing {
    const wanted = { condition, order, tallied: false, index, ranked: undefined };
    return new ProjectListing(this.database, this.#milestones, this.#counts, wanted);
  }

  async #only(conditions: Sql[]): Promise<Project> {
    const found = await this.database.first<Project>(
      sql`select ${columns} from project where ${join(conditions, ' and ')}`,
    );
    if (!found) throw new NotFound();
    return found;
  }

  #conditions(viewer: Viewer, choices: Choices): Sql[] {
    const context = { viewer, database: this.database };
    return [...choices.values()].map(({ filter, value }) => filter.condition(value, context));
  }

  #ranked(viewer: Viewer, choices: Choices): Sql | undefined {
    const context = { viewer, database: this.database };
    const found = [...choices.values()].map(({ filter, value }) => filter.ranked?.(value, context));
    return found.find((ranked) => ranked !== undefined);
  }
}

/** The index in whose order a whole listing stands, for the choices that have one. */
function indexOf(choices: Choices, [first]: Order): string | undefined {
  const names = [...choices.keys()].join();
  const types = choices.get('content_type__in')?.value as readonly string[] | undefined;
  // All types but one are nearly everything.
  const whole = names === '' || (names === 'content_type__in' && types?.length === contentTypes.length - 1);
  if (whole) return `project_by_${first?.column}`;
  return names === 'content_type' ? `project_by_type_${first?.column}` : undefined;
}

/** SQLite's planner takes a cross join as the order in which to go. */
const withTier = (ranked: Sql) =>
  sql`(select project.*, tier from (${ranked}) as found cross join project where project.id = found.project) as project`;

interface Wanted {
  readonly condition: Sql;
  readonly order: Order;
  /** The tally can tell how many there are. */
  readonly tallied: boolean;
  readonly index: string | undefined;
  /** What the listing is read from when it stands best first. */
  readonly ranked: Sql | undefined;
}

export class ProjectListing {
  /** Tells this listing from others: who sees it, what was chosen, in which order. */
  readonly identity: string;
  readonly #condition: Sql;
  readonly #order: Order;
  readonly #tallied: boolean;
  /** The table, read along the listing's index where there is one. */
  readonly #table: Sql;
  readonly #columns: Sql;
  readonly #walkable: boolean;
  readonly #reads: Reads;

  constructor(
    private readonly database: Database,
    private readonly milestones: Milestones,
    private readonly counts: Counts,
    { condition, order, tallied, index, ranked }: Wanted,
  ) {
    this.identity = JSON.stringify([condition.sql, condition.values, order]);
    this.#condition = condition;
    this.#order = order;
    this.#tallied = tallied;
    this.#table = index ? database.along('project', index) : ranked ? withTier(ranked) : sql`project`;
    this.#columns = ranked ? sql`${columns}, tier` : columns;
    // An order of several terms sorts what ties in the first: a step of a walk would sort as much as the whole page.
    this.#walkable = index !== undefined && order.length <= 2;
    this.#reads = this.#walkable ? database : database.slow;
  }

  count(): Promise<number> {
    return this.#tallied ? this.counts.tallied(this.#condition) : this.counts.counted(this.#condition);
  }

  async page(offset: number, size: number): Promise<Project[]> {
    const generation = this.#walkable ? this.database.generation() : undefined;
    const { from, rest } = await this.milestones.nearest(
      this.identity,
      generation,
      offset,
      (start, distance) => this.#step(start, distance),
    );
    return this.#rows(this.#order, from && beyond(this.#order, from, true), size, rest);
  }

  /** The rows behind a position, or those before it, nearest last. */
  async beyond(position: Position | undefined, size: number, backwards: boolean): Promise<Project[]> {
    const order = backwards ? reversed(this.#order) : this.#order;
    const rows = await this.#rows(order, position && beyond(order, position), size, 0);
    return backwards ? rows.reverse() : rows;
  }

  position(project: Project): Position {
    return this.#positionOf(project as Row);
  }

  #rows(order: Order, seek: Sql | undefined, size: number, offset: number): Promise<Project[]> {
    return this.#reads.all<Project>(
      sql`select ${this.#columns} from ${this.#table} where ${this.#within(seek)}
          order by ${orderBy(order)} limit ${size} offset ${offset}`,
    );
  }

  async #step(from: Position | undefined, distance: number): Promise<Position | undefined> {
    const row = await this.database.first<Row>(
      sql`select ${columnsOf(this.#order)} from ${this.#table} where ${this.#within(from && beyond(this.#order, from, true))}
          order by ${orderBy(this.#order)} limit 1 offset ${distance}`,
    );
    return row && this.#positionOf(row);
  }

  #positionOf(row: Row): Position {
    return this.#order.map(({ column }) => row[column as keyof Row] as string | number);
  }

  #within(seek: Sql | undefined): Sql {
    return seek ? sql`${this.#condition} and ${seek}` : this.#condition;
  }
}
