// All tables, for what is done with each of them.

import type { Table } from '#sql';
import * as accounts from './accounts/tables.ts';
import * as changes from './changes/tables.ts';
import * as contributors from './contributors/tables.ts';
import * as decisions from './decisions/tables.ts';
import { once } from './feature.ts';
import * as server from './server-tables.ts';

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

declare module './feature.ts' {
  interface Feature {
    readonly tables?: readonly Table[];
  }
}

const ownTables: readonly Table[] = [accounts, changes, contributors, decisions, server].flatMap((tables) =>
  Object.values(tables),
);

/** All tables except that of the migrations. */
export const allTables = once((features): readonly Table[] =>
  inOrder([...ownTables, ...features.flatMap(({ tables = [] }) => tables)]),
);

export const listFeatureTables = (): readonly Table[] =>
  allTables().filter((table) => !ownTables.includes(table));
