// Makes the tables of a new gallery, or migrates an earlier one to the newest schema, in one transaction. The caller makes
// the transaction exclusive: if two processes start at once, the second finds nothing to do.

import sql, { raw } from 'sql-template-tag';
import { OperatorError } from '../common/errors.ts';
import { type Columns, integer, nullable, type Table } from './columns.ts';
import type { DatabaseDependencies, Reader, Transaction } from './database.ts';
import { accountLinks } from './migrations/account-links.ts';
import { collections } from './migrations/collections.ts';
import { following } from './migrations/following.ts';
import { fromFirstRelease } from './migrations/from-0.1.0.ts';
import { jobs } from './migrations/jobs.ts';
import { karmaOfComments } from './migrations/karma-of-comments.ts';
import { type Dialect, type Migration, newest } from './migrations/migration.ts';
import { review } from './migrations/review.ts';
import { createTables } from './migrations/tables.ts';
import { indexOfVersions } from './migrations/versions.ts';
import { select } from './query.ts';
import {
  changeTable,
  contributorTable,
  decisionTable,
  projectTable,
  ratingTable,
  reportTable,
} from './schema.ts';

const newGallery: Migration = {
  from: 0,
  to: newest,
  name: 'new gallery',
  statements: (dialect) => Object.values(createTables(dialect)).flat(),
};

/**
 * A new one goes to the end, with the declarations of the tables changed alike. No release had the schemas that are missing.
 */
const migrations: readonly Migration[] = [
  newGallery,
  fromFirstRelease,
  accountLinks,
  review,
  karmaOfComments,
  following,
  collections,
  indexOfVersions,
  jobs,
];

/** Rows beside those of the migrations: nobody may use the database, except for `vitrine copy`. */
export const copyMarks = { unfinished: 1_000_000, moved: 1_000_001 };

const highestNumber = select({ number: integer() }, sql`from migration order by number desc limit 1`);

/** The number of the last migration that was run; null before the first. */
const lastMigration = select(
  { number: nullable(integer(sql`max(number)`)) },
  sql`from migration where number < ${copyMarks.unfinished}`,
);

/** Whether no migration is left to run. Called before anything is locked, as a long import may hold the lock. */
export async function isCurrent(reader: Reader): Promise<boolean> {
  const highest = await reader.first(highestNumber);
  return highest?.number === newest;
}

export async function migrate(
  transaction: Transaction,
  dialect: Dialect,
  { rebuilds, copying, mustExist }: DatabaseDependencies,
): Promise<void> {
  await transaction.run(
    raw(
      `create table if not exists migration (number ${dialect.integer} primary key, name ${dialect.text} not null)`,
    ),
  );
  if (!copying) await requireUsable(transaction);
  const applied = (await transaction.first(lastMigration))?.number ?? 0;
  if (applied > newest)
    throw new OperatorError(
      `The database has schema ${applied}, this version of Vitrine knows up to ${newest}: start a newer version.`,
    );
  if (mustExist && applied === 0) throw new OperatorError('There is no gallery in the database.');
  if (copying === 'from' && applied < newest)
    throw new OperatorError(
      `The database that is to be copied has schema ${applied}, this version of Vitrine has ${newest}: start the server of this version on it first.`,
    );
  if (applied === newest) return;
  for (const statement of dropReadableViews) await transaction.run(raw(statement));
  const path = findPath(applied);
  for (const { to, name, statements } of path) {
    for (const statement of statements(dialect)) await transaction.run(raw(statement));
    await transaction.run(sql`insert into migration (number, name) values (${to}, ${name})`);
  }
  for (const statement of createReadableViews(dialect.readableTime)) await transaction.run(raw(statement));
  for (const name of new Set(path.flatMap(({ rebuilds = [] }) => rebuilds)))
    await rebuilds[name](transaction);
}

/** The migrations that lead from a schema to the newest. */
function findPath(applied: number): readonly Migration[] {
  if (applied === newest) return [];
  const next = migrations.find(({ from }) => from === applied);
  if (!next)
    throw new OperatorError(
      `The database has schema ${applied}, which no release of Vitrine has made: export the gallery with the program that made it, and import the file into a new database.`,
    );
  return [next, ...findPath(next.to)];
}

/** The number of migrations that were run, and of those that this version has. */
export async function countMigrations(reader: Reader): Promise<{ applied: number; known: number }> {
  await requireUsable(reader);
  return { applied: (await reader.first(lastMigration))?.number ?? 0, known: newest };
}

async function requireUsable(reader: Reader): Promise<void> {
  const highest = await reader.first(highestNumber);
  if (highest?.number === copyMarks.unfinished)
    throw new OperatorError('The database is an unfinished copy: run vitrine copy again.');
  if (highest?.number === copyMarks.moved)
    throw new OperatorError(
      'The gallery has moved to another database: start the server there, or go back with vitrine copy --undo.',
    );
}

// Views for people who open the database with another program: the same rows, with times that people can read, in UTC.
// The gallery does not use them. They are made again after each migration, as no column of a view can be changed.

/** Tables without secrets. */
const tables = [projectTable, contributorTable, ratingTable, changeTable, reportTable, decisionTable];

const timeColumns = new Set(['at', 'created', 'modified', 'record_modified', 'trashed', 'publish_at']);

const viewOf = ({ name }: Table) => `readable_${name}`;

const dropReadableViews: readonly string[] = tables.map((table) => `drop view if exists ${viewOf(table)}`);

/** `readableTime` is the expression for a column of microseconds. Keys for sorting are left out. */
function createReadableViews(readableTime: (column: string) => string): string[] {
  const select = (columns: Columns) =>
    Object.keys(columns)
      .filter((name) => !name.endsWith('_key'))
      .map((name) => (timeColumns.has(name) ? `${readableTime(name)} as ${name}` : name));
  return tables.map(
    (table) =>
      `create view ${viewOf(table)} as select ${select(table.columns).join(', ')} from ${table.name}`,
  );
}
