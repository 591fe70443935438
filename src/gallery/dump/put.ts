import type { Transaction } from '../../database/open.ts';
import type { Table, Value } from '../../database/schema.ts';

type Row<Columns extends Table> = { readonly [Column in keyof Columns['columns']]: Value };

/** Inserts rows, replacing those with the same key. */
export async function put<Columns extends Table>(
  transaction: Transaction,
  table: Columns,
  rows: readonly Row<Columns>[],
): Promise<void> {
  const columns: (keyof Columns['columns'])[] = Object.keys(table.columns);
  await transaction.upsert(
    table,
    rows.map((row) => columns.map((column) => row[column])),
  );
}
