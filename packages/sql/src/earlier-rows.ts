// Keeps the columns that listings filter and sort by as they were before the last changes of projects. Triggers write
// the rows, so that no write can forget it. The known positions of a listing can then be adjusted instead of found again:
// see docs/decisions/0057-positions-that-stay.md.

import type { Sql } from 'sql-template-tag';

/** About this many rows are kept. */
export const keptRows = 10_000;

/** The columns of `project` that are kept, with the kinds of their values. */
const keptColumns = {
  visibility: 'text',
  status: 'integer',
  thread_visibility: 'integer',
  content_type: 'text',
  copied_from: 'integer',
  created: 'integer',
  title_key: 'text',
  karma: 'integer',
  rating_sum: 'integer',
  last_name_key: 'text',
} as const;

const names = Object.keys(keptColumns);

/** Projects are never deleted: what is erased leaves an empty row. */
const isListed = (row: 'old' | 'new') =>
  `${row}.visibility = 'public' and ${row}.status = 1 and ${row}.thread_visibility = 0`;

/** For the statements that keep a row: the columns, and when. A project that is new has had no values. */
export const kept = {
  names: names.join(', '),
  values: names.map((name) => `old.${name}`).join(', '),
  definitions: (types: { readonly integer: string; readonly text: string }): string =>
    Object.entries(keptColumns)
      .map(([name, kind]) => `${name} ${types[kind]}`)
      .join(', '),
  inserts: isListed('new'),
  updates: (isDifferent: string): string =>
    `(${isListed('old')} or ${isListed('new')}) and (${names
      .map((name) => `old.${name} ${isDifferent} new.${name}`)
      .join(' or ')})`,
};

/** Conditions about the rows of `earlier_project`. Of a project, the row with the lowest number is the oldest. */
export interface EarlierProjects {
  /** The changes that a statement sees, as text; null on a replica, which cannot tell. */
  readonly marker: Sql;
  /** The row belongs to a change that a statement with this marker did not see. */
  isAfter(marker: string): Sql;
  /** All such rows are still there. */
  isComplete(marker: string): Sql;
}
