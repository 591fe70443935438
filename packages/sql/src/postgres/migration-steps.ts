// Runs the steps of migrations while clients write. No statement locks a table for longer than a moment, and a killed
// migration goes on where it was.

import type { SQL } from 'bun';
import sql, { raw } from 'sql-template-tag';
import { OperatorError, Unavailable } from '../../../common/src/errors.ts';
import { integer, nullable, text } from '../columns.ts';
import {
  closeTo,
  createMissingTables,
  describeMigration,
  findPendingMigrations,
  recordMigration,
  runAll,
} from '../migrate.ts';
import {
  createIndex,
  type Dialect,
  type FillStep,
  type IndexStep,
  type Migration,
  nameOfIndex,
} from '../migration.ts';
import { secretTable } from '../own-tables.ts';
import { all, first } from '../query.ts';
import type { PostgresPool } from './pool.ts';
import { programNameOf } from './server.ts';
import { PostgresReader, type PostgresTransaction, runTransaction } from './transaction.ts';

/** How long clients wait behind a statement that waits for a lock. */
const lockTimeout = '250ms';
/** Clients do not wait behind this one: PostgreSQL ends an autovacuum that stands in its way after a second. */
const firstLockTimeout = '10s';
const retryMs = 500;
/** A client that changes a row of a batch waits for its end. With many indexes that are not in memory, a row can take 2 ms. */
const batchMs = 100;
const maxBatch = 1000;

/** Stored under this name in `secret`. */
const progressName = 'migration';

interface Progress {
  /** The schema that the migration makes. */
  readonly to: number;
  /** The step in work. */
  readonly step: number;
  /** The last filled key. */
  readonly position?: number;
}

/** PostgreSQL copies no database while others use it. */
export const wayBack = 'The way back is a backup of before.';

export class MigrationRunner {
  readonly #reader: PostgresReader;

  constructor(
    private readonly pool: PostgresPool,
    private readonly dialect: Dialect,
    private readonly notify: (message: string) => void,
    /** Throws if another process has begun the same. */
    private readonly confirm: () => Promise<void>,
  ) {
    this.#reader = new PostgresReader(pool);
  }

  async run(): Promise<void> {
    // Another process may have done it meanwhile.
    const path = await findPendingMigrations(this.#reader, this.dialect);
    const [{ from } = {}] = path;
    if (from === undefined) return;
    const startedAt = performance.now();
    for (const migration of path) await this.#runMigration(migration);
    const { views, newest } = this.dialect.schema;
    await this.#transact(async (transaction) => {
      await createMissingTables(transaction, this.dialect);
      await runAll(transaction, [
        ...(views?.drop() ?? []),
        ...(views?.create(this.dialect.readableTime) ?? []),
      ]);
    });
    this.notify(`${describeMigration(from, newest, startedAt)} ${wayBack}`);
  }

  async #runMigration(migration: Migration): Promise<void> {
    const { from, to } = migration;
    const stored = await first(this.#reader, secretTable.columns)`from secret where name = ${progressName}`;
    const last: Progress | undefined = stored && JSON.parse(stored.value);
    const begun = last?.to === to ? last : { to, step: 0 };
    const steps = migration.steps?.(this.dialect) ?? [];
    for (const [number, step] of steps.entries()) {
      if (number < begun.step) continue;
      await this.confirm();
      this.notify(`Migration to schema ${to}, step ${number + 1} of ${steps.length}: ${step.kind}`);
      if (step.kind === 'fill') await this.#fill(step, number === begun.step ? begun : { to, step: number });
      if (step.kind === 'index') await this.#makeIndex(step);
      if (step.kind === 'contract') await this.#requireNoneBefore(from);
      const statements = 'statements' in step ? step.statements : [];
      await this.#transact(
        async (transaction) => {
          // No column of a view can be dropped.
          await runAll(transaction, [
            ...(step.kind === 'contract' ? (this.dialect.schema.views?.drop() ?? []) : []),
            ...statements,
          ]);
          await saveProgress(transaction, { to, step: number + 1 });
        },
        'locks' in step ? step.locks : [],
      );
    }
    await this.#transact(async (transaction) => {
      await recordMigration(transaction, migration);
      await transaction.run(sql`delete from secret where name = ${progressName}`);
    });
  }

  /** Between two batches, clients have the database to themselves for as long as a batch takes. */
  async #fill({ table, key, set, rest }: FillStep, begun: Progress): Promise<void> {
    const batch = (start: number, size: number) =>
      this.#transact(async (transaction) => {
        const keys = sql`select ${raw(key)} from ${raw(table)} where ${raw(key)} > ${start} order by 1 limit ${size}`;
        const last = nullable(integer(sql`max(${raw(key)})`));
        const found = await first(transaction, { last })`from (${keys}) as batch`;
        const position = found?.last ?? undefined;
        if (position === undefined) return undefined;
        await transaction.run(sql`update ${raw(table)} set ${raw(set)}
          where ${raw(key)} > ${start} and ${raw(key)} <= ${position} and (${raw(rest)})`);
        await saveProgress(transaction, { ...begun, position });
        return position;
      });
    let position: number | undefined = begun.position ?? Number.MIN_SAFE_INTEGER;
    let size = 50;
    while (position !== undefined) {
      const startedAt = performance.now();
      position = await batch(position, Math.round(size));
      const took = performance.now() - startedAt;
      size = Math.max(1, Math.min(maxBatch, size * Math.min(2, batchMs / took)));
      await this.confirm();
      await Bun.sleep(took);
    }
  }

  /** A killed process leaves an index that is not valid, or a server that still makes it, and locks the table so long. */
  async #makeIndex({ table, index }: IndexStep): Promise<void> {
    const name = nameOfIndex(index);
    const isValid = { isValid: integer(sql`indisvalid::int`) };
    const found = await this.#transact(
      (transaction) => first(transaction, isValid)`from pg_index where indexrelid = to_regclass(${name})`,
      [table],
    );
    if (found?.isValid) return;
    await this.pool.run(async (connection) => {
      if (found) await connection.unsafe(`drop index concurrently ${name}`);
      await connection.unsafe(createIndex(table, index, 'concurrently '));
    });
  }

  /** A program that does not know a schema would fail after the contraction. */
  async #requireNoneBefore(schema: number): Promise<void> {
    await this.#transact((transaction) => closeTo(transaction, schema));
    const programName = programNameOf(this.dialect.schema);
    const names = await all(this.#reader, { name: text(sql`application_name`) })`
      from pg_stat_activity where datname = current_database() and application_name like ${`${programName}%`}`;
    if (names.some(({ name }) => Number.parseInt(name.slice(programName.length), 10) < schema))
      throw new OperatorError(
        `Servers or commands of an earlier version still use the database: stop all before schema ${schema}, and try again. A pooler keeps their connections for some minutes.`,
      );
  }

  /** Tries again until the locks are free. These tables are first kept from everything but reads and writes. */
  async #transact<Result>(
    work: (transaction: PostgresTransaction) => Promise<Result>,
    tables: readonly string[] = [],
  ): Promise<Result> {
    const locks = tables.map((table) => `lock table ${table} in share update exclusive mode`);
    const begin = (connection: SQL) =>
      runTransaction(connection, async (transaction) => {
        await runAll(transaction, [`set local lock_timeout = '${firstLockTimeout}'`, ...locks]);
        await runAll(transaction, [`set local lock_timeout = '${lockTimeout}'`]);
        return work(transaction);
      });
    for (;;) {
      try {
        return (await this.pool.run(begin)).result;
      } catch (error) {
        const { errno } = (error instanceof Unavailable ? error.cause : error) as { errno?: unknown };
        if (!/^(55P03|40P01)$/.test(String(errno))) throw error;
        await Bun.sleep(retryMs);
      }
    }
  }
}

const saveProgress = (transaction: PostgresTransaction, progress: Progress) =>
  transaction.upsert(secretTable, [{ name: progressName, value: JSON.stringify(progress) }]);
