// Galleries on PostgreSQL that tests use one after the other. Before the next test, the rows of the tables that were written
// are put back: to an empty gallery, or to a state that was saved. If nothing was written, the next test gets the same open
// database, because connecting takes longer than most tests.

import { raw } from 'sql-template-tag';
import { type Database, exists, integer, type RowOf, select, text } from '#sql';
import { openGallery } from '../../src/core/open-gallery.ts';
import { pageViewsOf } from '../../src/features/statistics/page-views.ts';
import { finishUpdates } from '../../src/projects/people/contributor-updates.ts';
import { onPostgres, postgresAddress } from './shared-postgres.ts';

/** Columns that say when something was last used: a test that only reads changes them too. */
const ignoredColumns = ['last_used'];
const tablesWithIgnoredColumns = ['api_key', 'session', 'passkey'];

/** Deleted rows stay in the files of their tables and slow down later queries. TRUNCATE takes longer than deleting a few. */
const truncateFrom = 1_000_000;

const templateName = 'gallery_template';
/** Any number: the first process that has this lock makes the template. */
const templateLock = 1;

const sequenceColumns = { name: text(), last_value: text(), is_called: integer() };
type Sequence = RowOf<typeof sequenceColumns>;
const sequencesQuery = select(sequenceColumns, raw('from initial.sequences order by name'));

const tablesQuery = select(
  { name: text(), bytes: integer(), is_written: integer() },
  raw(`from (
    select relname::text as name, pg_relation_size(oid) as bytes,
      (relname in (select name from initial.written))::int as is_written
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace) as found`),
);

export class PostgresGallery {
  /** The state that is put back; undefined for an empty gallery. */
  savedState: string | undefined;
  #empty: readonly Sequence[] = [];
  #saved: readonly Sequence[] = [];
  /** The tables whose rows in the saved state differ from those of an empty gallery. */
  #savedTables = new Set<string>();
  #database: Database | undefined;
  #members = '';
  #reportError: (error: unknown) => void = console.error;

  private constructor(readonly address: string) {}

  static async create(name: string): Promise<PostgresGallery> {
    await makeTemplate();
    await onPostgres(`create database ${name} template ${templateName} strategy file_copy`);
    const gallery = new PostgresGallery(await postgresAddress(name));
    gallery.#empty = await (await gallery.#open()).all(sequencesQuery);
    gallery.#saved = gallery.#empty;
    return gallery;
  }

  /** The open database, which the next test may use too. */
  open(reportError: (error: unknown) => void): Promise<Database> {
    this.#reportError = reportError;
    return this.#open();
  }

  async #open(): Promise<Database> {
    if (!this.#database) {
      this.#database = await openGallery(this.address, (error) => this.#reportError(error));
      this.#members = describeMembers(this.#database);
    }
    return this.#database;
  }

  async close(): Promise<void> {
    await this.#database?.close();
    this.#database = undefined;
  }

  /** Puts the saved state back, if it is this one, or else an empty gallery. */
  async putBack(state: string | undefined): Promise<void> {
    if (this.#database && describeMembers(this.#database) !== this.#members) await this.close();
    const database = await this.#open();
    await endUpdates(database);
    const tables = await database.all(tablesQuery);
    const sequences = await database.all(sequencesQuery);
    const isSaved = state !== undefined && state === this.savedState;
    const isWritten = tables.some(({ is_written }) => is_written) || !Bun.deepEquals(sequences, this.#saved);
    if (state === this.savedState && !isWritten) return;
    const isLarge = tables.reduce((sum, { bytes }) => sum + bytes, 0) > truncateFrom;
    const changed = tables.filter(
      ({ name, is_written }) => isLarge || is_written || (!isSaved && this.#savedTables.has(name)),
    );
    const names = [...new Set([...tablesWithIgnoredColumns, ...changed.map(({ name }) => name)])];
    await runAll(database, [
      // Foreign keys and triggers rest meanwhile: at the end all referenced rows exist.
      'set local session_replication_role = replica',
      ...(isLarge ? [`truncate ${names.join(', ')}`] : names.map((name) => `delete from ${name}`)),
      ...names.map((name) => {
        const source = isSaved && this.#savedTables.has(name) ? 'saved' : 'initial';
        return `insert into ${name} table ${source}.${name}`;
      }),
      ...(isSaved ? this.#saved : this.#empty).map(
        ({ name, last_value, is_called }) => `perform setval('${name}', ${last_value}, ${is_called === 1})`,
      ),
      'delete from initial.written',
    ]);
    if (isSaved) return;
    this.savedState = undefined;
    this.#saved = this.#empty;
    this.#savedTables.clear();
  }

  /** Saves the present state, after `putBack(undefined)` and changes. */
  async save(state: string): Promise<void> {
    const database = await this.#open();
    const written = (await database.all(tablesQuery)).filter(({ is_written }) => is_written);
    this.#savedTables = new Set(written.map(({ name }) => name));
    await runAll(database, [
      ...written.flatMap(({ name }) => [`truncate saved.${name}`, `insert into saved.${name} table ${name}`]),
      'delete from initial.written',
    ]);
    this.#saved = await database.all(sequencesQuery);
    this.savedState = state;
  }
}

/**
 * The server of the test before may still be at work on a new name, or remember views that are not saved: it would write into
 * the next test.
 */
async function endUpdates(database: Database): Promise<void> {
  await pageViewsOf(database).save();
  if (await exists(database, raw('from job')))
    await database.transaction((transaction) => transaction.run(raw('delete from job')));
  await finishUpdates(database);
}

/** In a transaction of the database, which notices after it that the change log has become shorter. */
const runAll = (database: Database, statements: readonly string[]) =>
  database.transaction((transaction) => transaction.run(raw(`do $$ begin ${statements.join(';')}; end $$`)));

/** A test may have replaced a method, to make it fail. */
const describeMembers = (database: Database | undefined) => Object.keys(database ?? {}).join();

/** Another process may make it at the same time. */
async function makeTemplate(): Promise<void> {
  await onPostgres(`select pg_advisory_lock(${templateLock})`);
  try {
    const found = await onPostgres(`select from pg_database where datname = '${templateName}'`);
    if (found.length === 0) await createTemplate();
  } finally {
    await onPostgres(`select pg_advisory_unlock(${templateLock})`);
  }
}

/**
 * An empty gallery with two copies of its tables, for an empty gallery and for a saved state, and with triggers that
 * remember which tables are written: each statement adds a row without a key, so that no transaction waits for another.
 */
async function createTemplate(): Promise<void> {
  await onPostgres(`create database ${templateName}`);
  const address = await postgresAddress(templateName);
  await (await openGallery(address)).close();
  const client = new Bun.SQL({ url: address, max: 1 });
  const tables: { name: string; columns: string }[] = await client.unsafe(`
    select table_name::text as name,
      string_agg(column_name, ', ') filter (where column_name <> all ('{${ignoredColumns}}')) as columns
    from information_schema.columns join pg_tables on tablename = table_name and schemaname = table_schema
    where table_schema = 'public' group by table_name`);
  const sequences: { name: string }[] = await client.unsafe(
    "select sequencename::text as name from pg_sequences where schemaname = 'public'",
  );
  const states = sequences.map(
    ({ name }) => `select '${name}' as name, last_value::text, is_called::int from public.${name}`,
  );
  await client.unsafe(
    [
      'create schema initial',
      'create schema saved',
      `create view initial.sequences as ${states.join(' union all ')}`,
      'create unlogged table initial.written (name text not null)',
      `create function initial.remember_write() returns trigger language plpgsql as $$
       begin insert into initial.written values (tg_table_name); return null; end $$`,
      ...tables.flatMap(({ name, columns }) => [
        `create table initial.${name} as table public.${name}`,
        `create unlogged table saved.${name} (like public.${name})`,
        `create trigger remember_write after insert or delete or truncate or update of ${columns} on public.${name}
         for each statement execute function initial.remember_write()`,
      ]),
    ].join(';'),
  );
  await client.close();
}
