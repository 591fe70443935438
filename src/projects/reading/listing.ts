// A listing of projects in a total order, by page numbers or by positions.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { all, type ColumnsOf, type Database, integer, pick, type Reader, type RowOf, select } from '#sql';
import { afterPosition, orderBy, type Position, reverseOrder } from '../../core/listing/order.ts';
import { type Project, projectColumns, shownColumns } from '../project.ts';
import { indexOrderOf, type ProjectOrder } from '../project-order.ts';
import type { ListingCounts } from './listing-counts.ts';
import type { PositionCache, PositionSource } from './position-cache.ts';
import { positionColumns, readPositions } from './read-positions.ts';
import { type FirstRows, isTagOrder, type TaggedProjects } from './tagged-projects.ts';

export const idColumn = pick(projectColumns, 'id');
/** Of projects that are looked up among those that are kept. */
export const briefColumns = pick(projectColumns, 'id', 'content_type');
export type BriefProject = RowOf<typeof briefColumns>;
/** The size is known without reading the text. */
export const entryColumns = { ...idColumn, bytes: integer(sql`octet_length(text)`) };
type ListEntry = RowOf<typeof entryColumns>;
/** The columns that a listing has of each project: everything that viewers see, or a few columns and those that the order compares. */
export interface ListedRow {
  readonly id: number;
  readonly created?: number;
}

/** Each step through a listing that no index orders sorts the rest of it: there are few steps. */
const entriesPerStep = 10_000;
/** So many rows in the order of an index are searched for those of a page, before all that meet the condition are sorted. */
const maxFirstRows = 20_000;
/** Of a whole listing, so much is read at a time. */
const maxBatchRows = 200;
const maxBatchBytes = 250_000;

export interface ListingOptions {
  readonly condition: Sql;
  /** The part of it that hides projects from the viewer. */
  readonly visibility: Sql;
  readonly order: ProjectOrder;
  /** The stored counts give the number of rows. */
  readonly hasStoredCounts?: boolean;
  readonly index?: string | undefined;
  /** Has the columns of a project and those of the order. */
  readonly table?: Sql;
  /** The condition is that of visitors' listings, and what the filters of the index ask for. */
  readonly isListed?: boolean;
  /** The same projects, to count them, and to list them in the order of time. */
  readonly tagged?: TaggedProjects | undefined;
  readonly firstRows?: FirstRows | undefined;
}

/** Some of the rows, in one of both directions. */
interface Slice {
  readonly order: ProjectOrder;
  /** Where they begin. */
  readonly seek?: Sql | undefined;
  readonly size: number;
  readonly offset?: number | Sql;
}

const withSeek = (condition: Sql, { seek }: Slice) => (seek ? sql`${condition} and ${seek}` : condition);
const endOf = ({ order, size, offset = 0 }: Slice) =>
  sql`order by ${orderBy(order)} limit ${size} offset ${offset}`;

export class ProjectListing<Row extends ListedRow = Project> {
  /** The table, read in the order of the listing's index if there is one. */
  readonly #table: Sql;
  readonly #positionColumns: Partial<typeof positionColumns>;
  readonly #reads: Reader;
  readonly #tagged: TaggedProjects | undefined;
  /** The order of the index; undefined if that is the whole order, or if there is no index. */
  readonly #indexOrder: ProjectOrder | undefined;

  constructor(
    private readonly database: Database,
    private readonly positions: PositionCache,
    private readonly counts: ListingCounts,
    private readonly options: ListingOptions,
    private readonly columns: ColumnsOf<Row>,
  ) {
    const { order, index, table = sql`project` } = options;
    this.#table = index ? database.tableByIndex('project', index) : table;
    this.#positionColumns = pickPositionColumns(order);
    const tagged = isTagOrder(order) ? options.tagged : undefined;
    this.#tagged = tagged;
    this.#indexOrder = index ? indexOrderOf(order) : undefined;
    // With another order, each step sorts all rows that tie in the first term.
    const hasIndexOrder = tagged ? tagged.isSingleTag : index !== undefined && !this.#indexOrder;
    this.#reads = hasIndexOrder ? database : database.slowReader;
  }

  /** Identifies the listing: its conditions for the viewer, its filters and its order. */
  get cursorScope(): string {
    const { condition, order } = this.options;
    return JSON.stringify([condition.sql, condition.values, order]);
  }

  /** The same listing with these columns. */
  select<Other extends ListedRow>(columns: ColumnsOf<Other>): ProjectListing<Other> {
    return new ProjectListing(this.database, this.positions, this.counts, this.options, columns);
  }

  /** The projects with these ids, without those that the viewer may no longer see. */
  load(ids: readonly number[]): Promise<Project[]> {
    return loadVisible(this.#reads, ids, this.options.visibility);
  }

  count(): Promise<number> {
    const { tagged, hasStoredCounts } = this.options;
    const { table, condition, count } = tagged ?? { table: sql`project`, condition: this.options.condition };
    const stored = hasStoredCounts ? sql`from project_count where ${condition}` : count;
    return stored
      ? this.counts.sumStored(stored)
      : this.counts.countRows(sql`from ${table} where ${condition}`);
  }

  async page(offset: number, size: number): Promise<Row[]> {
    const { order } = this.options;
    const source = offset > 0 ? this.#findSource() : undefined;
    if (!source) return this.#queryRows({ order, size, offset });
    const nearest = await this.positions.findNearest(source, this.database.generation(), offset);
    const seek = nearest.from && afterPosition(source.order, nearest.from, true);
    const slice = { order: source.order, seek, size, offset: nearest.offset };
    return this.#queryRows(this.#indexOrder ? this.#fromTies(slice) : slice);
  }

  /** The row at the place of the first one, in the order of the index, ties with it in the first term. The page is sorted from there. */
  #fromTies(slice: Slice): Slice {
    const { order } = this.options;
    const [column, key] = slice.order.map((term) => raw(term.column));
    const [end, before] = order[0]?.descending ? [raw('<='), raw('>')] : [raw('>='), raw('<')];
    const atPlace = this.#from({ ...slice, size: 1 });
    const value = sql`(select ${column} ${atPlace})`;
    const isTie = sql`${this.options.condition} and ${column} = ${value}`;
    const isBefore = sql`${key} ${before} (select ${key} ${atPlace})`;
    const offset = sql`(select count(*) from ${this.#table} where ${isTie} and ${isBefore})`;
    return { order, seek: sql`${column} ${end} ${value}`, size: slice.size, offset };
  }

  /** The rows after a position; backwards, those before it, with the nearest last. */
  async seek(from: Position | undefined, size: number, backwards: boolean): Promise<Row[]> {
    const order = backwards ? reverseOrder(this.options.order) : this.options.order;
    const rows = await this.#queryRows({ order, seek: from && afterPosition(order, from), size });
    return backwards ? rows.reverse() : rows;
  }

  /**
   * The whole listing. Its order and its length are those of the moment when a step finds the next entries; a project
   * is as it is when its batch is read, and is left out if the viewer may no longer see it.
   */
  async *batches(): AsyncGenerator<Project[], void> {
    const { order, visibility } = this.options;
    const { slowReader } = this.database;
    const columns = { ...this.#positionColumns, ...entryColumns };
    for (let from: Position | undefined; ; ) {
      const slice = { order, seek: from && afterPosition(order, from), size: entriesPerStep };
      const entries: (ListEntry & PositionRow)[] = await slowReader.all(select(columns, this.#from(slice)));
      for (const ids of splitBySize(entries)) yield loadVisible(slowReader, ids, visibility);
      const last = entries.at(-1);
      if (!last || entries.length < entriesPerStep) return;
      from = this.positionOf(last);
    }
  }

  positionOf(row: PositionRow): Position {
    return positionIn(this.options.order, row);
  }

  async #queryRows(slice: Slice): Promise<Row[]> {
    const { firstRows } = this.options;
    const columns: ColumnsOf<Row> = { ...this.columns, ...this.#positionColumns };
    if (this.#tagged) return this.#loadIds(columns, fromRows(this.#tagged, slice));
    if (firstRows) {
      const rows = await this.#loadIds(columns, fromFirst(firstRows, slice));
      if (rows.length === slice.size) return rows;
    }
    // Without their texts: all rows that tie in the first term are sorted.
    if (this.#indexOrder) return this.positions.sorts.run(() => this.#loadIds(columns, this.#from(slice)));
    return this.#reads.all(select(columns, this.#from(slice)));
  }

  async #loadIds(columns: ColumnsOf<Row>, from: Sql): Promise<Row[]> {
    const rows = await this.#reads.all(select(idColumn, from));
    const ids = rows.map(({ id }) => id);
    return loadVisibleRows(this.#reads, ids, this.options.visibility, columns);
  }

  #from(slice: Slice): Sql {
    return fromRows({ table: this.#table, condition: this.options.condition }, slice);
  }

  /** Undefined without an index: each position would cost as much as the page itself. */
  #findSource(): PositionSource | undefined {
    const { database } = this;
    const { condition, index, isListed } = this.options;
    const order = this.#indexOrder ?? this.options.order;
    if (this.#tagged ? !this.#tagged.isSingleTag : !index) return undefined;
    // Every change of a project would have to be kept to adjust positions by `modified`.
    const isAdjustable = isListed && !this.#tagged && !order.some(({ column }) => column === 'modified');
    const earlier = isAdjustable ? database.earlierProjects : undefined;
    const listing = this.#tagged ?? { table: this.#table, condition };
    const query = { ...listing, order, columns: pickPositionColumns(order), earlier };
    return {
      key: JSON.stringify([condition.sql, condition.values, order]),
      order,
      isAdjustable: earlier !== undefined,
      read: (marker, step) => readPositions(step ? database.slowReader : database, query, marker, step),
    };
  }
}

function fromFirst({ table, condition, hasTags }: FirstRows, slice: Slice): Sql {
  const columns = join(slice.order.map(({ column }) => raw(column)));
  return sql`from (
      select ${columns} from ${table} where ${withSeek(condition, slice)}
      order by ${orderBy(slice.order)} limit ${maxFirstRows}
    ) as project where ${hasTags} ${endOf(slice)}`;
}

const fromRows = ({ table, condition }: Pick<TaggedProjects, 'table' | 'condition'>, slice: Slice): Sql =>
  sql`from ${table} where ${withSeek(condition, slice)} ${endOf(slice)}`;

/** The columns that an order compares. */
export const pickPositionColumns = (order: ProjectOrder): Partial<typeof positionColumns> =>
  pick(positionColumns, ...order.flatMap(({ column }) => (column === 'tier' ? [] : [column])));

type PositionRow = Partial<RowOf<typeof positionColumns>> & { readonly tier?: number };

export const positionIn = (order: ProjectOrder, row: PositionRow): Position =>
  order.map(({ column }) => row[column] ?? '');

/** The projects with these ids, in this order, without those that the viewer may no longer see. */
export const loadVisible = (reader: Reader, ids: readonly number[], visibility: Sql): Promise<Project[]> =>
  loadVisibleRows(reader, ids, visibility, shownColumns);

export async function loadVisibleRows<Row extends ListedRow>(
  reader: Reader,
  ids: readonly number[],
  visibility: Sql,
  columns: ColumnsOf<Row>,
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const projects = await all(reader, columns)`from project
    where id in (${join([...ids])}) and ${visibility}`;
  const byId = new Map(projects.map((project) => [project.id, project]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The ids of projects that are read together. */
export function* splitBySize(entries: readonly ListEntry[]): Generator<number[]> {
  let ids: number[] = [];
  let total = 0;
  for (const { id, bytes } of entries) {
    if (ids.length === maxBatchRows || (ids.length && total + bytes > maxBatchBytes)) {
      yield ids;
      ids = [];
      total = 0;
    }
    ids.push(id);
    total += bytes;
  }
  if (ids.length) yield ids;
}
