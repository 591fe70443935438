// Reads positions of a listing, and in the same statement what has changed since the last one: so the numbers of rows
// before the known positions can be adjusted exactly, whatever is written meanwhile.

import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { type EarlierProjects, integer, nullable, pick, type Reader, type RowOf, text } from '#sql';
import { afterPosition, comparePositions, orderBy, type Position } from '../../core/listing/order.ts';
import { shownColumns } from '../project.ts';
import type { ProjectOrder } from '../project-order.ts';

export const positionColumns = {
  ...pick(
    shownColumns,
    ...(['id', 'created', 'title_key', 'karma', 'rating_sum', 'last_name_key', 'modified'] as const),
  ),
  place: integer(sql`project.place`),
};

/** With more changed projects than this, positions are found again. */
const maxChanges = 2000;

export interface PositionQuery {
  readonly table: Sql;
  readonly condition: Sql;
  readonly order: ProjectOrder;
  readonly columns: Partial<typeof positionColumns>;
  /** Has the columns of the condition; undefined if known positions cannot be adjusted. */
  readonly earlier: EarlierProjects | undefined;
}

/** So many rows on from a position. */
export interface PositionStep {
  /** Undefined for the start of the listing. */
  readonly from: Position | undefined;
  readonly rows: number;
}

export interface PositionChanges {
  /** The state of the database that the statement read. */
  readonly marker: string | null;
  /** Whether all changes are here. */
  readonly isComplete: boolean;
  readonly removed: readonly Position[];
  readonly added: readonly Position[];
  /** Where the step ends; undefined if the listing ends before. */
  readonly found: Position | undefined;
}

const partColumns = {
  part: text().narrow<'head' | 'removed' | 'added' | 'found'>(),
  number: integer(),
  marker: nullable(text()),
};

export async function readPositions(
  reader: Reader,
  query: PositionQuery,
  marker: string | null,
  step?: PositionStep,
): Promise<PositionChanges> {
  const { order, columns, earlier } = query;
  const keys = order.map(({ column }) => raw(column));
  const parts = [
    ...(earlier ? changeParts(query, earlier, keys, marker) : []),
    ...(step ? [stepPart(query, keys, step)] : []),
  ];
  const changed = earlier ? sql`with changed as (${changedProjects(earlier, marker)})` : empty;
  const rows: (RowOf<typeof partColumns> & Record<string, unknown>)[] = await reader.all({
    statement: sql`${changed} ${join(parts, ' union all ')}`,
    columns: { ...partColumns, ...columns },
  });
  const positionsOf = (part: string) =>
    rows
      .filter((row) => row.part === part)
      .map((row) => order.map(({ column }) => row[column] as string | number));
  const head = rows.find(({ part }) => part === 'head');
  const changes = head?.number ?? 0;
  return {
    marker: head?.marker ?? null,
    isComplete: changes >= 0 && changes <= maxChanges,
    removed: positionsOf('removed'),
    added: positionsOf('added'),
    found: positionsOf('found')[0],
  };
}

/** The oldest row of each project that has changed. */
const changedProjects = (earlier: EarlierProjects, marker: string | null) =>
  sql`select id, min(number) as number from earlier_project
      where ${marker === null ? sql`1 = 0` : earlier.isAfter(marker)} group by id limit ${maxChanges + 1}`;

function changeParts(
  { condition }: PositionQuery,
  earlier: EarlierProjects,
  keys: readonly Sql[],
  marker: string | null,
): Sql[] {
  const isComplete = marker === null ? sql`1 = 1` : earlier.isComplete(marker);
  const noKeys = keys.map((key) => sql`null as ${key}`);
  return [
    sql`select 'head' as part, case when ${isComplete} then (select count(*) from changed) else -1 end as number,
          ${earlier.marker} as marker, ${join(noKeys)}`,
    sql`select 'removed', 0, null, ${join(keys)} from earlier_project as project
        where number in (select number from changed) and ${condition}`,
    sql`select 'added', 0, null, ${join(keys)} from project where id in (select id from changed) and ${condition}`,
  ];
}

/** Skipping rows of an index is fast: a million take SQLite 20 ms. */
const stepPart = (
  { table, condition, order }: PositionQuery,
  keys: readonly Sql[],
  { from, rows }: PositionStep,
) => sql`
  select 'found' as part, 0 as number, null as marker, ${join(keys)} from (
    select ${join(keys)} from ${table}
    where ${from ? sql`${condition} and ${afterPosition(order, from, true)}` : condition}
    order by ${orderBy(order)} limit 1 offset ${rows}
  ) as found`;

// The known positions of a listing: some places in its order, with the exact number of rows before each of them.

export class KnownPositions {
  #positions: Position[] = [];
  #ranks: number[] = [];

  constructor(private readonly order: ProjectOrder) {}

  get count(): number {
    return this.#positions.length;
  }

  clear(): void {
    this.#positions = [];
    this.#ranks = [];
  }

  /** The last position that has at most this many rows before it; without a position, it is the start of the listing. */
  findNearest(row: number): { readonly position: Position | undefined; readonly rank: number } {
    const index = findFirst(this.#ranks, (rank) => rank > row) - 1;
    return { position: this.#positions[index], rank: this.#ranks[index] ?? 0 };
  }

  /** Adds a position, so many rows after a known one. */
  insert(after: Position | undefined, rows: number, position: Position): void {
    const index = after ? this.#positions.indexOf(after) : -1;
    const rank = (this.#ranks[index] ?? 0) + rows;
    if (rank >= (this.#ranks[index + 1] ?? Number.POSITIVE_INFINITY)) return;
    this.#ranks.splice(index + 1, 0, rank);
    this.#positions.splice(index + 1, 0, position);
  }

  /** Rows at these positions have left the listing, others have come. */
  adjust(removed: readonly Position[], added: readonly Position[]): void {
    const differences = new Map<number, number>();
    const count = (row: Position, difference: number) => {
      const next = findFirst(this.#positions, (known) => comparePositions(this.order, known, row) > 0);
      differences.set(next, (differences.get(next) ?? 0) + difference);
    };
    for (const row of removed) count(row, -1);
    for (const row of added) count(row, 1);
    let shift = 0;
    this.#ranks = this.#ranks.map((rank, index) => {
      shift += differences.get(index) ?? 0;
      return rank + shift;
    });
  }
}

/** The index of the first item for which it is true, which it is for all after it as well. */
export function findFirst<Item>(items: readonly Item[], isTrue: (item: Item) => boolean): number {
  let start = 0;
  let end = items.length;
  while (start < end) {
    const middle = (start + end) >>> 1;
    if (isTrue(items[middle] as Item)) end = middle;
    else start = middle + 1;
  }
  return start;
}
