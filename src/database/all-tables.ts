// All tables, for what is done with each of them.

import type { Table } from './columns.ts';
import * as schema from './schema.ts';

/** A table comes after those to which its columns refer, so that rows can be inserted in this order. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>();
  const add = (table: Table) => {
    for (const { constraints } of Object.values(table.columns))
      if (constraints.target) add(constraints.target);
    ordered.add(table);
  };
  tables.forEach(add);
  return [...ordered];
}

/** All tables except that of the migrations. */
export const allTables: readonly Table[] = inOrder(
  Object.values(schema).filter((table) => table !== schema.migrationTable),
);
