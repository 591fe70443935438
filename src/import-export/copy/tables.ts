// Compares all tables of both databases by counts and sums of their columns.

import { raw } from 'sql-template-tag';
import { allTables } from '../../database/all-tables.ts';
import { integer, type Table } from '../../database/columns.ts';
import type { Reader } from '../../database/database.ts';
import { count, select } from '../../database/query.ts';

/** The sum of large numbers would not fit; both databases compute the same remainder. */
const modulus = 1_000_003;

function digestOf({ name, columns }: Table) {
  const sums = Object.entries(columns).map(([column, { storage }]) =>
    storage === 'integer' ? `sum(${column} % ${modulus})` : `sum(length(${column}))`,
  );
  const expressions = ['count(*)', ...sums.map((sum) => `coalesce(${sum}, 0)`)];
  const digest = Object.fromEntries(
    expressions.map((expression, index) => [`sum_${index}`, integer(raw(expression))]),
  );
  return select(digest, raw(`from ${name}`));
}

const digests = allTables.map((table) => ({ name: table.name, query: digestOf(table) }));

/** The names of tables whose columns have other sums. */
export async function findUnequalTables(one: Reader, other: Reader): Promise<string[]> {
  const unequal: string[] = [];
  for (const { name, query } of digests) {
    const [digest, otherDigest] = await Promise.all([one.first(query), other.first(query)]);
    if (!Bun.deepEquals(digest, otherDigest)) unequal.push(name);
  }
  return unequal;
}

/** The same by their numbers of rows only, which takes no time. */
export async function compareCounts(
  one: Reader,
  other: Reader,
): Promise<{ rows: number; unequal: string[] }> {
  let rows = 0;
  const unequal: string[] = [];
  for (const { name } of allTables) {
    const counts = await Promise.all([one, other].map((reader) => count(reader, raw(`from ${name}`))));
    rows += counts[0] ?? 0;
    if (counts[0] !== counts[1]) unequal.push(name);
  }
  return { rows, unequal };
}
