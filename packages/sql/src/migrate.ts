// Makes the tables of a new database, or migrates an earlier one to the newest schema, in one transaction; PostgreSQL leaves
// migrations in steps for later. The caller makes the transaction exclusive: if two processes start at once, the second
// finds nothing to do.

import sql, { raw } from 'sql-template-tag';
import { OperatorError } from '../../common/src/errors.ts';
import { integer, nullable, text } from './columns.ts';
import { createTable, createTables } from './create-tables.ts';
import type { DatabaseDependencies, Reader, Transaction } from './database.ts';
import { type Dialect, type Migration, type Schema, statementsOf } from './migration.ts';
import { secretTable } from './own-tables.ts';
import { all, first, select } from './query.ts';

const newDatabase = ({ newest, content }: Schema): Migration => ({
  from: 0,
  to: newest,
  name: `new ${content}`,
  statements: (dialect) => Object.values(createTables(dialect)).flat(),
});

/** Rows beside those of the migrations: nobody may use the database, except for `vitrine copy`. */
export const copyMarks = { unfinished: 1_000_000, moved: 1_000_001 };

const highestNumber = select({ number: integer() }, sql`from migration order by number desc limit 1`);

/** The number of the last migration that was run; null before the first. */
const lastMigration = select(
  { number: nullable(integer(sql`max(number)`)) },
  sql`from migration where number < ${copyMarks.unfinished}`,
);

export const appliedSchema = async (reader: Reader) => (await reader.first(lastMigration))?.number ?? 0;

/** Whether nothing is left to do. Called before anything is locked, as a long import may hold the lock. */
export async function isCurrent(reader: Reader, dialect: Dialect): Promise<boolean> {
  const highest = await reader.first(highestNumber);
  return highest?.number === dialect.schema.newest && (await findMissingTables(reader, dialect)).length === 0;
}

async function findMissingTables(reader: Reader, { tableNames, schema }: Dialect) {
  const rows = await all(reader, { name: text() })`from (${raw(tableNames)}) as present`;
  const present = new Set(rows.map(({ name }) => name));
  return (schema.addedTables?.() ?? []).filter(({ name }) => !present.has(name));
}

export async function createMissingTables(transaction: Transaction, dialect: Dialect): Promise<void> {
  for (const table of await findMissingTables(transaction, dialect))
    await runAll(transaction, createTable(table, dialect));
}

/** The lowest schema whose programs may use the database, after a migration in steps. */
const oldestSchema = 'oldest_schema';

/** Whether a program of this schema may use a database of a later one. */
export async function isOpenTo(reader: Reader, schema: number): Promise<boolean> {
  const oldest = await first(reader, secretTable.columns)`from secret where name = ${oldestSchema}`;
  return oldest !== undefined && Number(oldest.value) <= schema;
}

interface Outcome {
  /** The schema of before, if the transaction has migrated it. */
  readonly migratedFrom?: number;
  /** The migrations that the caller runs in steps, after the transaction. */
  readonly pending: readonly Migration[];
}

/** `prepare` is called before tables that were there change. */
export async function migrate(
  transaction: Transaction,
  dialect: Dialect,
  { rebuilds, copying, mustExist, earlierSchema }: DatabaseDependencies,
  prepare?: (applied: number) => Promise<void>,
): Promise<Outcome> {
  const { program, content, newest, views } = dialect.schema;
  await transaction.run(
    raw(
      `create table if not exists migration (number ${dialect.integer} primary key, name ${dialect.text} not null)`,
    ),
  );
  if (!copying) await requireUsable(transaction);
  const applied = await appliedSchema(transaction);
  if (applied > newest && (copying || !(await isOpenTo(transaction, newest))))
    throw new OperatorError(
      `The database has schema ${applied}, this version of ${program} knows up to ${newest}: start a newer version.`,
    );
  if (mustExist && applied === 0) throw new OperatorError(`There is no ${content} in the database.`);
  if (copying === 'from' && applied < newest)
    throw new OperatorError(
      `The database that is to be copied has schema ${applied}, this version of ${program} has ${newest}: start the server of this version on it first.`,
    );
  const path = findPath(applied, dialect.schema);
  const isEarlier = applied > 0 && applied < newest;
  if (isEarlier && earlierSchema === 'refused')
    throw new OperatorError(
      `The database has schema ${applied}, this version of ${program} has ${newest}: make a backup with the version before, then run ${program.toLowerCase()} migrate or start the server, which bring it there.`,
    );
  if (applied === newest) await createMissingTables(transaction, dialect);
  if (runsInSteps(path, dialect)) return { pending: path };
  if (isEarlier) await prepare?.(applied);
  await runAll(transaction, views?.drop() ?? []);
  for (const migration of path) {
    await runAll(transaction, statementsOf(migration, dialect));
    await recordMigration(transaction, migration);
  }
  await createMissingTables(transaction, dialect);
  await runAll(transaction, views?.create(dialect.readableTime) ?? []);
  for (const name of new Set(path.flatMap(({ rebuilds = [] }) => rebuilds))) {
    const rebuild = rebuilds[name];
    if (!rebuild) throw new Error(`no function rebuilds ${name}`);
    await rebuild(transaction);
  }
  return { pending: [], ...(isEarlier && { migratedFrom: applied }) };
}

/** The beginning of what is said about a migration that is done. */
export const describeMigration = (from: number, to: number, startedAt: number): string =>
  `Schema ${from} → ${to} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`;

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

export const findPendingMigrations = async (reader: Reader, { schema }: Dialect) =>
  findPath(await appliedSchema(reader), schema);

/** The migrations that lead from a schema to the newest. */
function findPath(applied: number, schema: Schema): readonly Migration[] {
  const { program, content, migrations, newest } = schema;
  if (applied >= newest) return [];
  const next = [newDatabase(schema), ...migrations].find(({ from }) => from === applied);
  if (!next)
    throw new OperatorError(
      `The database has schema ${applied}, which no release of ${program} has made: export the ${content} with the program that made it, and import the file into a new database.`,
    );
  return [next, ...findPath(next.to, schema)];
}

/** The number of migrations that were run, and of those that this version has. */
export async function countMigrations(
  reader: Reader,
  { schema }: Dialect,
): Promise<{ applied: number; known: number }> {
  await requireUsable(reader);
  return { applied: await appliedSchema(reader), known: schema.newest };
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
