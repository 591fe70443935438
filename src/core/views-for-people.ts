// Views for people who open the database with another program: the same rows, with times that people can read, in UTC.
// The gallery does not use them.

import type { Columns, Table } from '#sql';
import { allTables } from './all-tables.ts';

declare module '#sql/columns.ts' {
  interface TableOptions {
    /** For tables without secrets. */
    readonly hasReadableView?: true;
  }
}

const timeColumns = new Set(['at', 'created', 'modified', 'record_modified', 'trashed', 'publish_at']);

const viewOf = ({ name }: Table) => `readable_${name}`;

const readableTables = () => allTables().filter(({ hasReadableView }) => hasReadableView);

export const dropReadableViews = () =>
  readableTables().map((table) => `drop view if exists ${viewOf(table)}`);

/** `readableTime` is the expression for a column of microseconds. Keys for sorting are left out. */
export function createReadableViews(readableTime: (column: string) => string): string[] {
  const select = (columns: Columns) =>
    Object.keys(columns)
      .filter((name) => !name.endsWith('_key'))
      .map((name) => (timeColumns.has(name) ? `${readableTime(name)} as ${name}` : name));
  return readableTables().map(
    (table) =>
      `create view ${viewOf(table)} as select ${select(table.columns).join(', ')} from ${table.name}`,
  );
}
