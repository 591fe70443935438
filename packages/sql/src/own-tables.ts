// The tables that every database has. A program may declare them with more indexes, and others beside them.

import { integer, nullable, table, text } from './columns.ts';

/**
 * The change log: one row for each change, in commit order. `owner` is the contributor whose row was changed; `listed` is 1 if
 * visitors' listings had it before or after the change; the hash covers the one before: see change-hash.ts.
 */
export const changeTable = table(
  'change',
  ['sequence'],
  {
    sequence: integer(),
    at: integer(),
    actor: nullable(integer()),
    action: text(),
    kind: text(),
    subject: integer(),
    record: text(),
    owner: nullable(integer()),
    listed: integer(),
    hash: text(),
  },
  { indexes: ['change_by_subject (kind, subject, sequence)'] },
);

/** One row: the last sequence number of the change log, and its hash. A writer holds it until its commit. */
export const changeHeadTable = table(
  'change_head',
  [],
  { last: integer(), hash: text() },
  { firstRow: "(last, hash) values (0, '')" },
);

/** Small values of the program and of the database itself, such as how far a migration has come. */
export const secretTable = table('secret', ['name'], { name: text(), value: text() });

export const migrationTable = table('migration', ['number'], { number: integer(), name: text() });
