// Makes the tables of a new gallery, or migrates an earlier one to the newest schema, in one transaction; PostgreSQL leaves
// migrations in steps for later. The caller makes the transaction exclusive: if two processes start at once, the second
// finds nothing to do.

import sql, { raw } from 'sql-template-tag';
import { listFeatureTables } from '../../../src/core/all-tables.ts';
import { accountLinks } from '../../../src/core/migrations/account-links.ts';
import { audiences } from '../../../src/core/migrations/audiences.ts';
import { changeArchive } from '../../../src/core/migrations/change-archive.ts';
import { collections } from '../../../src/core/migrations/collections.ts';
import { indexOfDeletions } from '../../../src/core/migrations/deletions.ts';
import { following } from '../../../src/core/migrations/following.ts';
import { fromFirstRelease } from '../../../src/core/migrations/from-0.1.0.ts';
import { jobs } from '../../../src/core/migrations/jobs.ts';
import { karmaOfComments } from '../../../src/core/migrations/karma-of-comments.ts';
import { licenses } from '../../../src/core/migrations/licenses.ts';
import { linkedAccounts } from '../../../src/core/migrations/linked-accounts.ts';
import { review } from '../../../src/core/migrations/review.ts';
import { indexOfVersions } from '../../../src/core/migrations/versions.ts';
import { createReadableViews, dropReadableViews } from '../../../src/projects/readable-views.ts';
import { OperatorError } from '../../common/src/errors.ts';
import { integer, nullable, text } from './columns.ts';
import { createTable, createTables } from './create-tables.ts';
import type { DatabaseDependencies, Reader, Transaction } from './database.ts';
import { type Dialect, type Migration, newest, statementsOf } from './migration.ts';
import { secretTable } from './own-tables.ts';
import { all, first, select } from './query.ts';

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
  changeArchive,
  indexOfDeletions,
  licenses,
  linkedAccounts,
  audiences,
];

/** Rows beside those of the migrations: nobody may use the database, except for `vitrine copy`. */
export const copyMarks = { unfinished: 1_000_000, moved: 1_000_001 };

const highestNumber = select({ number: integer() }, sql`from migration order by number desc limit 1`);

/** The number of the last migration that was run; null before the first. */
const lastMigration = select(
  { number: nullable(integer(sql`max(number)`)) },
  sql`from migration where number < ${copyMarks.unfinished}`,
);

const appliedSchema = async (reader: Reader) => (await reader.first(lastMigration))?.number ?? 0;

/** Whether nothing is left to do. Called before anything is locked, as a long import may hold the lock. */
export async function isCurrent(reader: Reader, dialect: Dialect): Promise<boolean> {
  const highest = await reader.first(highestNumber);
  return highest?.number === newest && (await findMissingTables(reader, dialect)).length === 0;
}

/** Of features that have come since the gallery was made, or have come back: their tables need no migration. */
async function findMissingTables(reader: Reader, { tableNames }: Dialect) {
  const rows = await all(reader, { name: text() })`from (${raw(tableNames)}) as present`;
  const present = new Set(rows.map(({ name }) => name));
  return listFeatureTables().filter(({ name }) => !present.has(name));
}

export async function createMissingTables(transaction: Transaction, dialect: Dialect): Promise<void> {
  for (const table of await findMissingTables(transaction, dialect))
    await runAll(transaction, createTable(table, dialect));
}

/** The lowest schema whose programs may use the database, after a migration in steps. */
const oldestSchema = 'oldest_schema';

/** Whether a program of this schema may use a database of a later one. */
async function isOpenTo(reader: Reader, schema: number): Promise<boolean> {
  const oldest = await first(reader, secretTable.columns)`from secret where name = ${oldestSchema}`;
  return oldest !== undefined && Number(oldest.value) <= schema;
}

/** Returns the migrations that the caller runs in steps, after the transaction. */
export async function migrate(
  transaction: Transaction,
  dialect: Dialect,
  { rebuilds, copying, mustExist }: DatabaseDependencies,
): Promise<readonly Migration[]> {
  await transaction.run(
    raw(
      `create table if not exists migration (number ${dialect.integer} primary key, name ${dialect.text} not null)`,
    ),
  );
  if (!copying) await requireUsable(transaction);
  const applied = await appliedSchema(transaction);
  if (applied > newest && (copying || !(await isOpenTo(transaction, newest))))
    throw new OperatorError(
      `The database has schema ${applied}, this version of Vitrine knows up to ${newest}: start a newer version.`,
    );
  if (mustExist && applied === 0) throw new OperatorError('There is no gallery in the database.');
  if (copying === 'from' && applied < newest)
    throw new OperatorError(
      `The database that is to be copied has schema ${applied}, this version of Vitrine has ${newest}: start the server of this version on it first.`,
    );
  const path = findPath(applied);
  if (applied === newest) await createMissingTables(transaction, dialect);
  if (runsInSteps(path, dialect)) return path;
  await runAll(transaction, dropReadableViews);
  for (const migration of path) {
    await runAll(transaction, statementsOf(migration, dialect));
    await recordMigration(transaction, migration);
  }
  await runAll(transaction, createReadableViews(dialect.readableTime));
  await createMissingTables(transaction, dialect);
  for (const name of new Set(path.flatMap(({ rebuilds = [] }) => rebuilds)))
    await rebuilds[name](transaction);
  return [];
}

export async function runAll(transaction: Transaction, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await transaction.run(raw(statement));
}

export async function recordMigration(transaction: Transaction, migration: Migration): Promise<void> {
  const { from, to, name } = migration;
  await transaction.run(sql`insert into migration (number, name) values (${to}, ${name})`);
  if (migration.steps) await closeTo(transaction, from);
}

/** From now on, no program of an earlier schema than this one may use the database. */
export const closeTo = (transaction: Transaction, schema: number) =>
  transaction.upsert(secretTable, [{ name: oldestSchema, value: String(schema) }]);

export const runsInSteps = (path: readonly Migration[], { migratesInSteps }: Dialect) =>
  path.length === 0 || (migratesInSteps && path.every(({ steps }) => steps));

export const findPendingMigrations = async (reader: Reader) => findPath(await appliedSchema(reader));

/** The migrations that lead from a schema to the newest. */
function findPath(applied: number): readonly Migration[] {
  if (applied >= newest) return [];
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
  return { applied: await appliedSchema(reader), known: newest };
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
