// Keeps the columns that listings filter and sort by as they were before the last changes of projects. Triggers write
// the rows, so that no write can forget it. The known positions of a listing can then be adjusted instead of found again:
// see docs/decisions/0057-positions-that-stay.md.

import type { Sql } from 'sql-template-tag';
import type { Table } from './columns.ts';

/** About this many rows are kept. */
export const keptRows = 10_000;

/** For the statements that keep a row: the columns, and when. A project that is new has had no values. */
export function keptOf({ columns, earlier }: Table) {
  const { columns: names, isListed } = earlier ?? { columns: [], isListed: () => '' };
  return {
    names: names.join(', '),
    values: names.map((name) => `old.${name}`).join(', '),
    definitions: (types: Readonly<Record<'integer' | 'text', string>>): string =>
      names.map((name) => `${name} ${types[columns[name]?.storage ?? 'text']}`).join(', '),
    // Projects are never deleted: what is erased leaves an empty row.
    inserts: isListed('new'),
    updates: (isDifferent: string): string =>
      `(${isListed('old')} or ${isListed('new')}) and (${names
        .map((name) => `old.${name} ${isDifferent} new.${name}`)
        .join(' or ')})`,
  };
}

/** Conditions about the rows of `earlier_project`. Of a project, the row with the lowest number is the oldest. */
export interface EarlierProjects {
  /** The changes that a statement sees, as text; null on a replica, which cannot tell. */
  readonly marker: Sql;
  /** The row belongs to a change that a statement with this marker did not see. */
  isAfter(marker: string): Sql;
  /** All such rows are still there. */
  isComplete(marker: string): Sql;
}
