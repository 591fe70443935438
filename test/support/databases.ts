// Databases for tests, of either kind: empty ones, and galleries that are used again when a test has ended.

import { afterAll, beforeAll, describe } from 'bun:test';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { raw } from 'sql-template-tag';
import type { Database } from '../../src/database/open.ts';
import { exists } from '../../src/database/query.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { beginScope, closeLater, endScope } from './closing.ts';
import { memoryFolder } from './memory-folder.ts';
import { closePostgres, onPostgres, postgresAddress, run } from './shared-postgres.ts';

export type Kind = 'SQLite' | 'PostgreSQL';

/** Named after the run: what a killed run leaves is removed with its PostgreSQL. */
const folder = mkdtempSync(join(memoryFolder(), `vitrine-test-${run}-`));
let count = 0;

/** After the last test. */
export async function cleanUp(): Promise<void> {
  await closePostgres();
  rmSync(folder, { recursive: true, force: true });
}

/** Unique among all processes of a test run. */
function newName(): string {
  return `gallery_${process.pid}_${Date.now().toString(36)}_${++count}`;
}

/** The address of a database that nobody has opened yet. */
export async function emptyDatabase(kind: Kind): Promise<string> {
  const name = newName();
  if (kind === 'SQLite') return join(folder, `${name}.sqlite`);
  await onPostgres(`create database ${name}`);
  return postgresAddress(name);
}

/** The address of a gallery of today's schema in which there is nothing. */
export function emptyGallery(kind: Kind): Promise<string> {
  return kind === 'SQLite' ? newSqliteGallery() : idlePostgresGallery();
}

let sqliteTemplate: Promise<string> | undefined;

async function newSqliteGallery(): Promise<string> {
  sqliteTemplate ??= migrated('SQLite');
  return copyOf('SQLite', await sqliteTemplate);
}

async function migrated(kind: Kind): Promise<string> {
  const address = await emptyDatabase(kind);
  await (await openGallery(address)).close();
  return address;
}

interface IdleDatabase {
  readonly name: string;
  /** The statements that make it as it was at first. */
  readonly reset: string;
}

/** One that another test has used, when there is one. When the test has ended, the next may have it. */
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
  const address = await migrated('PostgreSQL');
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

/** The address of a copy of a database that nobody has open. */
export async function copyOf(kind: Kind, address: string): Promise<string> {
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
 * A gallery that can be had again and again as it is now, by one test at a time. SQLite's is copied. PostgreSQL's rows
 * are put back when a test has changed them; when not, the next test goes on with the same connections, which cost
 * more than most tests.
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
      const address = await copyOf(this.#kind, this.#address);
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

/** Bytes in all tables. To truncate takes ten times as long as to delete a few rows. */
const truncateFrom = 1_000_000;

interface SavedRows {
  /** Statements that bring the rows back. */
  readonly reset: string;
  /** A condition: whether the rows are the same, but for when a key was last used. */
  readonly isSame: string;
}

/** Copies all rows to a schema of their own. */
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
  const same = [
    ...tables.map((table) => `${rows(`public.${table}`)} = ${rows(`${schema}.${table}`)}`),
    ...counters.map(
      ({ name, last_value, is_called }) =>
        `(select (last_value, is_called) = (${last_value}, ${is_called}) from public.${name})`,
    ),
  ];
  const reset = [
    // Deleted rows stay in their tables and slow down later queries: many are removed with their pages.
    `do $$ begin
       if (select sum(pg_relation_size(oid)) from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace) > ${truncateFrom}
       then truncate ${tables.join(', ')}; end if;
     end $$`,
    // Foreign keys are not checked meanwhile: all that is referred to is there again in the end.
    'set session_replication_role = replica',
    ...tables.map((table) => `delete from ${table}; insert into ${table} table ${schema}.${table}`),
    ...counters.map(
      ({ name, last_value, is_called }) => `select setval('${name}', ${last_value}, ${is_called})`,
    ),
  ];
  return { reset: reset.join(';'), isSame: same.join(' and ') };
}

/** Where the files of a database are. */
export function filesFolder(address: string): string {
  return join(folder, `${address.split('/').at(-1)}.files`);
}

/** A path that nothing is at, gone with the test run. */
export function temporaryPath(name: string): string {
  return join(folder, `${++count}-${name}`);
}

/** The same tests on both databases. What they open for all of them is closed after the last. */
export function onBothDatabases(tests: (kind: Kind) => void): void {
  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    describe(`on ${kind}`, () => {
      beforeAll(beginScope);
      tests(kind);
      afterAll(endScope);
    });
  }
}
