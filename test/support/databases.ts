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

/** Runs after the last test. */
export async function cleanUp(): Promise<void> {
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
  /** The statements that restore its first state. */
  readonly reset: string;
}

/** Uses the gallery of an earlier test again, if there is one. When the test ends, the next test may use it. */
async function idlePostgresGallery(): Promise<string> {
  const [idle] = await onPostgres<IdleDatabase>(`
    delete from idle_database
    where name = (select name from idle_database limit 1 for update skip locked)
    returning name, reset`);
  const database = idle ?? (await newPostgresGallery());
  const address = await postgresAddress(database.name);
  if (idle) await onDatabase(address, (client) => client.unsafe(idle.reset));
  closeLater(async () => {
    rmSync(filesFolder(address), { recursive: true, force: true });
    await onPostgres('insert into idle_database (name, reset) values ($1, $2)', [
      database.name,
      database.reset,
    ]);
  });
  return address;
}

async function newPostgresGallery(): Promise<IdleDatabase> {
  const address = await createMigrated('PostgreSQL');
  const { reset } = await onDatabase(address, (client) => saveRows(client, 'pristine'));
  return { name: databaseName(address), reset };
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
  #saved: SavedRows | undefined;
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
        this.#saved ??= await saveRows(client, 'saved');
        await client.unsafe(this.#saved.reset);
      });
    }
    this.#database ??= await openGallery(this.#address);
    return { address: this.#address, database: this.#database };
  }

  async #isAsSaved(): Promise<boolean> {
    if (!this.#database || !this.#saved) return false;
    return exists(this.#database, raw(`where ${this.#saved.isSame}`));
  }

  async close(): Promise<void> {
    await this.#database?.close();
    this.#database = undefined;
  }
}

/** Bytes in all tables. TRUNCATE takes ten times as long as deleting a few rows. */
const truncateFrom = 1_000_000;

interface SavedRows {
  /** Statements that restore the rows. */
  readonly reset: string;
  /** A condition that is true if the rows are the same, except for the time of the last use of a key. */
  readonly isSame: string;
}

/** Copies all rows to a separate schema. */
async function saveRows(client: Bun.SQL, schema: string): Promise<SavedRows> {
  const [state] = await client.unsafe(`
    select array(select tablename::text from pg_tables where schemaname = 'public') as tables,
           array(select sequencename::text from pg_sequences where schemaname = 'public') as sequences`);
  const { tables, sequences } = state as { tables: string[]; sequences: string[] };
  await client.unsafe(
    [
      `drop schema if exists ${schema} cascade`,
      `create schema ${schema}`,
      ...tables.map((table) => `create table ${schema}.${table} as table public.${table}`),
    ].join(';'),
  );
  const counters = await Promise.all(
    sequences.map(async (name) => {
      const [{ last_value, is_called }] = await client.unsafe(
        `select last_value, is_called from public.${name}`,
      );
      return { name, last_value, is_called };
    }),
  );
  const rows = (table: string) => `array(select to_jsonb(r) - 'last_used' from ${table} r order by 1)`;
  const comparisons = [
    ...tables.map((table) => `${rows(`public.${table}`)} = ${rows(`${schema}.${table}`)}`),
    ...counters.map(
      ({ name, last_value, is_called }) =>
        `(select (last_value, is_called) = (${last_value}, ${is_called}) from public.${name})`,
    ),
  ];
  const reset = [
    // Deleted rows stay in the files of their tables and slow down later queries, so large tables are truncated.
    `do $$ begin
       if (select sum(pg_relation_size(oid)) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace) > ${truncateFrom}
       then truncate ${tables.join(', ')}; end if;
     end $$`,
    // Foreign keys are not checked during the restore, because all referenced rows exist again at its end.
    'set session_replication_role = replica',
    ...tables.map((table) => `delete from ${table}; insert into ${table} table ${schema}.${table}`),
    ...counters.map(
      ({ name, last_value, is_called }) => `select setval('${name}', ${last_value}, ${is_called})`,
    ),
  ];
  return { reset: reset.join(';'), isSame: comparisons.join(' and ') };
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
