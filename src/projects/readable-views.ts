// Views for people who open the database with another program: the same rows, with times that people can read, in UTC.
// The gallery does not use them. They are made again after each migration, as no column of a view can be changed.

import type { Columns, Table } from '#sql/columns.ts';
import { changeTable } from '../core/changes/tables.ts';
import { contributorTable } from '../core/contributors/tables.ts';
import { decisionTable, reportTable } from '../core/decisions/tables.ts';
import { projectTable, ratingTable } from './tables.ts';

/** Tables without secrets. */
const tables = [projectTable, contributorTable, ratingTable, changeTable, reportTable, decisionTable];

const timeColumns = new Set(['at', 'created', 'modified', 'record_modified', 'trashed', 'publish_at']);

const viewOf = ({ name }: Table) => `readable_${name}`;

export const dropReadableViews: readonly string[] = tables.map(
  (table) => `drop view if exists ${viewOf(table)}`,
);

/** `readableTime` is the expression for a column of microseconds. Keys for sorting are left out. */
export function createReadableViews(readableTime: (column: string) => string): string[] {
  const select = (columns: Columns) =>
    Object.keys(columns)
      .filter((name) => !name.endsWith('_key'))
      .map((name) => (timeColumns.has(name) ? `${readableTime(name)} as ${name}` : name));
  return tables.map(
    (table) =>
      `create view ${viewOf(table)} as select ${select(table.columns).join(', ')} from ${table.name}`,
  );
}
