// The orders of a listing, as SQL. Every order is total: it ends with the id, in the direction of the last term, so
// that both databases agree and no row is skipped between two pages.

import sql, { join, raw, type Sql } from 'sql-template-tag';

/** The columns by which a list can be sorted. */
export interface Sorting<Column extends string = string> {
  /** The columns that are compared, by their names in the API. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Decides ties: no two rows have the same value. */
  readonly key: Column;
  /** The direction in which it does; by default that of the last term. */
  readonly keyDescending?: boolean;
}

interface SortTerm<Column extends string = string> {
  readonly column: Column;
  readonly descending: boolean;
}

export type Order<Column extends string = string> = readonly SortTerm<Column>[];

/** A position in an order: the values of its columns, the id last. */
export type Position = readonly (string | number)[];

/**
 * `order` is undefined if the text is empty. Unknown terms are dropped, and so are terms after which nothing is left
 * to decide.
 */
export function parseOrder<Column extends string>(
  text: string,
  { columns, key, keyDescending }: Sorting<Column>,
): { order: Order<Column> | undefined; dropped: string[] } {
  const order: SortTerm<Column>[] = [];
  const dropped: string[] = [];
  let descending = false;
  for (const word of text.split(',').map((term) => term.trim())) {
    const name = word.replace(/^-/, '');
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (column) descending = word.startsWith('-');
    if (column && !order.some((term) => term.column === column || term.column === key))
      order.push({ column, descending });
    else if (word) dropped.push(word);
  }
  const last = order.at(-1);
  if (!last) return { order: undefined, dropped };
  if (last.column !== key) order.push({ column: key, descending: keyDescending ?? descending });
  return { order, dropped };
}

export const reverseOrder = <Column extends string>(order: Order<Column>): Order<Column> =>
  order.map(({ column, descending }) => ({ column, descending: !descending }));

const columnSql = ({ column }: SortTerm) => raw(column);

const orderColumns = (order: Order): Sql => join(order.map(columnSql), ', ');

export function orderBy(order: Order, table = 'project'): Sql {
  return raw(
    order.map(({ column, descending }) => `${table}.${column} ${descending ? 'desc' : 'asc'}`).join(', '),
  );
}

/** The condition that a row comes after a position; with `inclusive`, also at the position. */
export function afterPosition(order: Order, position: Position, inclusive = false): Sql {
  const [first, ...rest] = order;
  const [value, ...values] = position;
  if (!first || value === undefined) return inclusive ? sql`1 = 1` : sql`1 = 0`;
  const sign = raw(first.descending ? '<' : '>');
  const orEqual = inclusive ? raw('=') : raw(' ');
  if (order.every(({ descending }) => descending === first.descending)) {
    return sql`(${orderColumns(order)}) ${sign}${orEqual} (${join([...position])})`;
  }
  // Written so that an index on the first column is used whatever the directions of the other columns are.
  return sql`${columnSql(first)} ${sign}= ${value} and (${columnSql(first)} ${sign} ${value} or (${afterPosition(rest, values, inclusive)}))`;
}

/** Like `order by`: texts by code point. */
export function comparePositions(order: Order, one: Position, other: Position): number {
  for (const [index, { descending }] of order.entries()) {
    const difference = compareValues(one[index] ?? '', other[index] ?? '');
    if (difference !== 0) return descending ? -difference : difference;
  }
  return 0;
}

function compareValues(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return compareCodePoints(String(one), String(other));
}

/** JavaScript compares UTF-16 units, and surrogates come before some characters of one unit. */
function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++)
    if (one.charCodeAt(index) !== other.charCodeAt(index))
      return (one.codePointAt(index) ?? 0) - (other.codePointAt(index) ?? 0);
  return one.length - other.length;
}
