// Databases for tests, of both kinds: empty ones, and galleries that the next test uses again.

import { afterAll, beforeAll, describe } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { raw } from 'sql-template-tag';
import type { Database } from '../../src/database/database.ts';
import { exists } from '../../src/database/query.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { beginScope, closeLater, endScope } from './closing.ts';
import { memoryFolder } from './memory-folder.ts';
import { closePostgres, onPostgres, postgresAddress, run } from './shared-postgres.ts';

export type Kind = 'SQLite' | 'PostgreSQL';

/** Its name contains the id of the run, so that the keeper of PostgreSQL also removes the files of a killed run. */
const folder = mkdtempSync(join(memoryFolder(), `vitrine-test-${run}-`));
let count = 0;

/** Runs after the last test. The workers of a parallel run end after each file: their files are removed after the run. */
export async function cleanUp(): Promise<void> {
  if (process.env.BUN_TEST_WORKER_ID) return;
  await closePostgres();
  rmSync(folder, { recursive: true, force: true });
}

/** Unique among all processes of a test run. */
function newName(): string {
  return `gallery_${process.pid}_${Date.now().toString(36)}_${++count}`;
}

/** Creates a database without tables and returns its address. */
export async function emptyDatabase(kind: Kind): Promise<string> {
  const name = newName();
  if (kind === 'SQLite') return join(folder, `${name}.sqlite`);
  await onPostgres(`create database ${name}`);
  return postgresAddress(name);
}

/** Creates an empty gallery with the current schema and returns its address. */
export function emptyGallery(kind: Kind): Promise<string> {
  return kind === 'SQLite' ? newSqliteGallery() : idlePostgresGallery();
}

let sqliteTemplate: Promise<string> | undefined;

async function newSqliteGallery(): Promise<string> {
  sqliteTemplate ??= createMigrated('SQLite');
  return copyDatabase('SQLite', await sqliteTemplate);
}

async function createMigrated(kind: Kind): Promise<string> {
  const address = await emptyDatabase(kind);
  await (await openGallery(address)).close();
  return address;
}

interface IdleDatabase {
  readonly name: string;
  readonly sequences: readonly Sequence[];
}

/** Uses the gallery of an earlier test again, if there is one. When the test ends, the next test may use it. */
async function idlePostgresGallery(): Promise<string> {
  const [idle] = await onPostgres<IdleDatabase>(`
    delete from idle_database
    where name = (select name from idle_database limit 1 for update skip locked)
    returning name, sequences`);
  const database = idle ?? (await newPostgresGallery());
  const address = await postgresAddress(database.name);
  if (idle) await onDatabase(address, (client) => restoreRows(client, 'pristine', idle.sequences));
  closeLater(async () => {
    rmSync(filesFolder(address), { recursive: true, force: true });
    await onPostgres('insert into idle_database (name, sequences) values ($1, $2)', [
      database.name,
      database.sequences,
    ]);
  });
  return address;
}

async function newPostgresGallery(): Promise<IdleDatabase> {
  const address = await createMigrated('PostgreSQL');
  return {
    name: databaseName(address),
    sequences: await onDatabase(address, (client) => saveRows(client, 'pristine')),
  };
}

async function onDatabase<Result>(
  address: string,
  work: (client: Bun.SQL) => Promise<Result>,
): Promise<Result> {
  const client = new Bun.SQL({ url: address, max: 1 });
  try {
    return await work(client);
  } finally {
    await client.close({ timeout: 0 });
  }
}

const databaseName = (address: string) => address.split('/').at(-1) ?? '';

/** Copies a database that is not open and returns the address of the copy. */
export async function copyDatabase(kind: Kind, address: string): Promise<string> {
  const name = newName();
  if (kind === 'SQLite') {
    const copy = join(folder, `${name}.sqlite`);
    copyFileSync(address, copy);
    return copy;
  }
  await onPostgres(`create database ${name} template ${databaseName(address)} strategy file_copy`);
  return postgresAddress(name);
}

/**
 * A gallery that each test gets in its present state, one test at a time. On SQLite it is copied. On PostgreSQL the
 * rows are restored if a test has changed them. Otherwise the next test uses the same connections, because opening
 * them takes longer than most tests.
 */
export class Template {
  readonly #kind: Kind;
  readonly #address: string;
  #sequences: readonly Sequence[] | undefined;
  #database: Database | undefined;

  constructor(kind: Kind, address: string) {
    this.#kind = kind;
    this.#address = address;
  }

  /** Its address, and the open database, which is closed by the template. */
  async open(): Promise<{ address: string; database: Database }> {
    if (this.#kind === 'SQLite') {
      const address = await copyDatabase(this.#kind, this.#address);
      const database = await openGallery(address);
      closeLater(() => database.close());
      return { address, database };
    }
    if (!(await this.#isAsSaved())) {
      await this.close();
      await onDatabase(this.#address, async (client) => {
        if (this.#sequences) await restoreRows(client, 'saved', this.#sequences);
        else this.#sequences = await saveRows(client, 'saved');
      });
    }
    this.#database ??= await openGallery(this.#address);
    return { address: this.#address, database: this.#database };
  }

  async #isAsSaved(): Promise<boolean> {
    if (!this.#database || !this.#sequences) return false;
    return exists(this.#database, raw(`where ${areAsSaved(this.#sequences)}`));
  }

  async close(): Promise<void> {
    await this.#database?.close();
    this.#database = undefined;
  }
}

/** The state of a counter of ids. */
interface Sequence {
  readonly name: string;
  readonly last_value: string;
  readonly is_called: boolean;
}

/** Idle databases are pristine; the state of a template is saved beside that. */
type Schema = 'pristine' | 'saved';

/** Columns that say when something was last used: a test that only reads changes them too. */
const ignoredColumns = ['last_used'];

/**
 * Copies all rows to another schema. From now on, triggers remember the tables that are written: each statement adds a row
 * without a key, so that no transaction waits for another.
 */
async function saveRows(client: Bun.SQL, schema: Schema): Promise<Sequence[]> {
  const tables: { name: string; columns: string }[] = await client.unsafe(`
    select table_name::text as name,
      string_agg(column_name, ', ') filter (where column_name <> all ('{${ignoredColumns}}')) as columns
    from information_schema.columns join pg_tables on tablename = table_name and schemaname = table_schema
    where table_schema = 'public' group by table_name`);
  await client.unsafe(
    [
      `drop schema if exists ${schema} cascade`,
      `create schema ${schema}`,
      `create unlogged table ${schema}.written (name text not null)`,
      `create function ${schema}.remember_write() returns trigger language plpgsql as $$
       begin insert into ${schema}.written values (tg_table_name); return null; end $$`,
      ...tables.flatMap(({ name, columns }) => [
        `create table ${schema}."${name}" as table public.${name}`,
        `create trigger test_${schema} after insert or delete or truncate or update of ${columns} on public.${name}
         for each statement execute function ${schema}.remember_write()`,
      ]),
    ].join(';'),
  );
  return readSequences(client);
}

async function readSequences(client: Bun.SQL): Promise<Sequence[]> {
  const names: { name: string }[] = await client.unsafe(
    "select sequencename::text as name from pg_sequences where schemaname = 'public'",
  );
  if (names.length === 0) return [];
  return client.unsafe(
    names
      .map(({ name }) => `select '${name}' as name, last_value::text, is_called from public.${name}`)
      .join(' union all '),
  );
}

const areAsSaved = (sequences: readonly Sequence[]): string =>
  [
    'not exists (select from saved.written)',
    ...sequences.map(
      ({ name, last_value, is_called }) =>
        `(select (last_value, is_called) = (${last_value}, ${is_called}) from public.${name})`,
    ),
  ].join(' and ');

/** Deleted rows stay in the files of their tables and slow down later queries. TRUNCATE takes longer than deleting a few. */
const truncateFrom = 1_000_000;

/** Restores the tables that were written. Foreign keys and triggers rest meanwhile: at the end all referenced rows exist. */
async function restoreRows(client: Bun.SQL, schema: Schema, sequences: readonly Sequence[]): Promise<void> {
  const tables: { name: string; bytes: number; is_written: boolean }[] = await client.unsafe(`
    select relname::text as name, pg_relation_size(oid)::float8 as bytes,
      relname in (select name from ${schema}.written) as is_written
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const isLarge = tables.reduce((sum, { bytes }) => sum + bytes, 0) > truncateFrom;
  const written = tables.filter(({ is_written }) => isLarge || is_written);
  const used = ignoredColumns.length > 0 ? ['api_key', 'session', 'passkey'] : [];
  const names = new Set([...used, ...written.map(({ name }) => name)]);
  await client.unsafe(
    [
      'set session_replication_role = replica',
      ...(isLarge ? [`truncate ${[...names].join(', ')}`] : []),
      ...[...names].map((name) => `delete from ${name}; insert into ${name} table ${schema}."${name}"`),
      ...sequences.map(
        ({ name, last_value, is_called }) => `select setval('public.${name}', ${last_value}, ${is_called})`,
      ),
      `truncate ${schema}.written`,
    ].join(';'),
  );
}

/** The folder of the files of a database. */
export function filesFolder(address: string): string {
  return join(folder, `${address.split('/').at(-1)}.files`);
}

/** An unused path, which is removed at the end of the test run. */
export function temporaryPath(name: string): string {
  return join(folder, `${++count}-${name}`);
}

/** Runs the same tests on both databases. Resources that the tests share are closed after the last test. */
export function onBothDatabases(tests: (kind: Kind) => void): void {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    describe(`on ${kind}`, () => {
      beforeAll(beginScope);
      tests(kind);
      afterAll(endScope);
    });
  }
}
