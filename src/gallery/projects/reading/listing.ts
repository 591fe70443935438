// A listing of projects in a total order, by page numbers or by positions.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { type ColumnsOf, integer, pick, type RowOf } from '../../../database/columns.ts';
import type { Database, Reader } from '../../../database/database.ts';
import { all, select } from '../../../database/query.ts';
import { afterPosition, orderBy, type Position, reverseOrder } from '../../listing/order.ts';
import type { ProjectOrder } from '../order.ts';
import { type Project, projectColumns, shownColumns } from '../project.ts';
import type { ListingCounts } from './listing-counts.ts';
import type { PositionCache, PositionSource } from './position-cache.ts';
import { type PositionQuery, positionColumns, readPositions } from './read-positions.ts';
import { type FirstRows, isTagOrder, type TaggedProjects } from './tagged-projects.ts';

/** The size is known without reading the text. */
export const entryColumns = { id: projectColumns.id, bytes: integer(sql`octet_length(text)`) };
type ListEntry = RowOf<typeof entryColumns>;

/** Each step through a listing that no index orders sorts the rest of it: there are few steps. */
const entriesPerStep = 10_000;
/** So many rows in the order of an index are searched for those of a page, before all that meet the condition are sorted. */
const maxFirstRows = 20_000;
/** Of a whole listing, so much is read at a time. */
const maxBatchRows = 200;
const maxBatchBytes = 250_000;

interface ListingOptions {
  readonly condition: Sql;
  /** The part of it that hides projects from the viewer. */
  readonly visibility: Sql;
  readonly order: ProjectOrder;
  /** The stored counts give the number of rows. */
  readonly hasStoredCounts: boolean;
  readonly index: string | undefined;
  /** The condition is that of visitors' listings, and what the filters of the index ask for. */
  readonly isListed?: boolean;
  /** The same projects, to count them, and to list them in the order of time. */
  readonly tagged?: TaggedProjects | undefined;
  readonly firstRows?: FirstRows | undefined;
}

export class ProjectListing {
  /** Identifies the listing: its conditions for the viewer, its filters and its order. */
  readonly cursorScope: string;
  readonly #condition: Sql;
  readonly #visibility: Sql;
  readonly #order: ProjectOrder;
  readonly #hasStoredCounts: boolean;
  /** The table, read in the order of the listing's index if there is one. */
  readonly #table: Sql;
  readonly #positionColumns: Partial<typeof positionColumns>;
  readonly #hasIndexOrder: boolean;
  readonly #reads: Reader;
  readonly #tagged: TaggedProjects | undefined;
  readonly #counted: TaggedProjects | undefined;
  readonly #firstRows: FirstRows | undefined;
  /** Undefined without an index: each position would cost as much as the page itself. */
  readonly #source: PositionSource | undefined;

  constructor(
    private readonly database: Database,
    private readonly positions: PositionCache,
    private readonly counts: ListingCounts,
    {
      condition,
      visibility,
      order,
      hasStoredCounts,
      index,
      isListed,
      tagged: counted,
      firstRows,
    }: ListingOptions,
  ) {
    this.cursorScope = JSON.stringify([condition.sql, condition.values, order]);
    this.#condition = condition;
    this.#visibility = visibility;
    this.#order = order;
    this.#hasStoredCounts = hasStoredCounts;
    this.#table = index ? database.tableByIndex('project', index) : sql`project`;
    this.#positionColumns = pickPositionColumns(order);
    const tagged = isTagOrder(order) ? counted : undefined;
    // With more terms, each step would sort all rows that tie in the first term.
    this.#hasIndexOrder = tagged ? tagged.isSingleTag : index !== undefined && order.length <= 2;
    this.#tagged = tagged;
    this.#counted = counted;
    this.#firstRows = firstRows;
    this.#reads = this.#hasIndexOrder ? database : database.slowReader;
    // Every change of a project would have to be kept to adjust positions by `modified`.
    const isAdjustable = isListed && !tagged && !order.some(({ column }) => column === 'modified');
    if (tagged ? tagged.isSingleTag : index)
      this.#source = this.#createSource(isAdjustable ? database.earlierProjects : undefined);
  }

  count(): Promise<number> {
    const { table, condition, count } = this.#counted ?? { table: sql`project`, condition: this.#condition };
    const stored = this.#hasStoredCounts ? sql`from project_count where ${condition}` : count;
    return stored
      ? this.counts.sumStored(stored)
      : this.counts.countRows(sql`from ${table} where ${condition}`);
  }

  async page(offset: number, size: number): Promise<Project[]> {
    if (!this.#source) return this.#queryRows(this.#order, undefined, size, offset);
    const nearest = await this.positions.findNearest(this.#source, this.database.generation(), offset);
    const { from } = nearest;
    return this.#queryRows(this.#order, from && afterPosition(this.#order, from, true), size, nearest.offset);
  }

  /** The rows after a position; backwards, those before it, with the nearest last. */
  async seek(from: Position | undefined, size: number, backwards: boolean): Promise<Project[]> {
    const order = backwards ? reverseOrder(this.#order) : this.#order;
    const rows = await this.#queryRows(order, from && afterPosition(order, from), size, 0);
    return backwards ? rows.reverse() : rows;
  }

  /**
   * The whole listing. Its order and its length are those of the moment when a step finds the next entries; a project
   * is as it is when its batch is read, and is left out if the viewer may no longer see it.
   */
  async *batches(): AsyncGenerator<Project[], void> {
    const columns = { ...this.#positionColumns, ...entryColumns };
    for (let from: Position | undefined; ; ) {
      const entries: (ListEntry & PositionRow)[] = await this.#query(
        this.database.slowReader,
        columns,
        this.#order,
        from && afterPosition(this.#order, from),
        entriesPerStep,
      );
      for (const ids of splitBySize(entries))
        yield loadVisible(this.database.slowReader, ids, this.#visibility);
      const last = entries.at(-1);
      if (!last || entries.length < entriesPerStep) return;
      from = this.positionOf(last);
    }
  }

  positionOf(row: PositionRow): Position {
    return positionIn(this.#order, row);
  }

  async #queryRows(
    order: ProjectOrder,
    seek: Sql | undefined,
    size: number,
    offset: number,
  ): Promise<Project[]> {
    if (this.#tagged) return this.#loadIds(this.#fromTagged(this.#tagged, order, seek, size, offset));
    if (this.#firstRows) {
      const rows = await this.#loadIds(this.#fromFirst(this.#firstRows, order, seek, size, offset));
      if (rows.length === size) return rows;
    }
    return this.#query(this.#reads, shownColumns, order, seek, size, offset);
  }

  async #loadIds(from: Sql): Promise<Project[]> {
    const rows = await this.#reads.all(select({ id: projectColumns.id }, from));
    return loadVisible(
      this.#reads,
      rows.map(({ id }) => id),
      this.#visibility,
    );
  }

  #fromFirst(
    { table, condition, hasTags }: FirstRows,
    order: ProjectOrder,
    seek: Sql | undefined,
    size: number,
    offset: number,
  ): Sql {
    const columns = join(order.map(({ column }) => raw(column)));
    return sql`from (
        select ${columns} from ${table} where ${seek ? sql`${condition} and ${seek}` : condition}
        order by ${orderBy(order)} limit ${maxFirstRows}
      ) as project where ${hasTags} order by ${orderBy(order)} limit ${size} offset ${offset}`;
  }

  #fromTagged(
    { table, condition }: TaggedProjects,
    order: ProjectOrder,
    seek: Sql | undefined,
    size: number,
    offset: number,
  ): Sql {
    return sql`from ${table} where ${seek ? sql`${condition} and ${seek}` : condition}
               order by ${orderBy(order)} limit ${size} offset ${offset}`;
  }

  #query<Row extends object>(
    reader: Reader,
    columns: ColumnsOf<Row>,
    order: ProjectOrder,
    seek: Sql | undefined,
    size: number,
    offset = 0,
  ): Promise<Row[]> {
    return all(reader, columns)`from ${this.#table} where ${this.#where(seek)}
      order by ${orderBy(order)} limit ${size} offset ${offset}`;
  }

  #createSource(earlier: PositionQuery['earlier']): PositionSource {
    const { database } = this;
    const order = this.#order;
    const listing = this.#tagged ?? { table: this.#table, condition: this.#condition };
    const query = { ...listing, order, columns: this.#positionColumns, earlier };
    return {
      key: this.cursorScope,
      order,
      isAdjustable: earlier !== undefined,
      read: (marker, walk) => readPositions(walk ? database.slowReader : database, query, marker, walk),
    };
  }

  #where(seek: Sql | undefined): Sql {
    return seek ? sql`${this.#condition} and ${seek}` : this.#condition;
  }
}

/** The columns that an order compares. */
export const pickPositionColumns = (order: ProjectOrder): Partial<typeof positionColumns> =>
  pick(positionColumns, ...order.flatMap(({ column }) => (column === 'tier' ? [] : [column])));

type PositionRow = Partial<RowOf<typeof positionColumns>> & { readonly tier?: number };

export const positionIn = (order: ProjectOrder, row: PositionRow): Position =>
  order.map(({ column }) => row[column] ?? '');

/** The projects with these ids, in this order, without those that the viewer may no longer see. */
export async function loadVisible(
  reader: Reader,
  ids: readonly number[],
  visibility: Sql,
): Promise<Project[]> {
  if (ids.length === 0) return [];
  const projects = await all(reader, shownColumns)`from project
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
