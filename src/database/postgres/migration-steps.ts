// Runs the steps of migrations while clients write. No statement locks a table for longer than a moment, and a killed
// migration goes on where it was.

import type { SQL } from 'bun';
import sql, { raw } from 'sql-template-tag';
import { OperatorError, Unavailable } from '../../common/errors.ts';
import { integer, text } from '../columns.ts';
import {
  beginStep,
  findPendingMigrations,
  type MigrationProgress,
  progressName,
  readProgress,
  recordMigration,
} from '../migrate.ts';
import { batchSize } from '../migration-plan.ts';
import {
  createIndex,
  type Dialect,
  nameOfIndex,
  type Step,
  type SteppedMigration,
} from '../migrations/migration.ts';
import { all, first } from '../query.ts';
import { createReadableViews, dropReadableViews } from '../readable-views.ts';
import { secretTable } from '../schema.ts';
import { beginning } from './change-queue.ts';
import { clientOf, type PostgresPool } from './pool.ts';
import { programName } from './server.ts';
import { type ChangeQueue, PostgresReader, PostgresTransaction } from './transaction.ts';

/** How long clients wait behind a statement that waits for a lock. */
const lockTimeout = '250ms';
/** Clients do not wait behind this one: PostgreSQL ends an autovacuum that stands in its way after a second. */
const firstLockTimeout = '10s';
const retryMs = 500;
/** A migration writes to the log itself. */
export const noQueue: ChangeQueue = {
  oldest: () => beginning,
  number: async () => {},
  hasOneWrite: () => false,
};

export class MigrationRunner {
  readonly #reader: PostgresReader;

  constructor(
    private readonly pool: PostgresPool,
    private readonly dialect: Dialect,
    private readonly notify: (message: string) => void,
  ) {
    this.#reader = new PostgresReader(pool);
  }

  /** `confirm` throws if another process has begun the same. */
  async run(confirm: () => Promise<void>): Promise<void> {
    // Another process may have done it meanwhile.
    const path = (await findPendingMigrations(this.#reader)) as readonly SteppedMigration[];
    for (const migration of path) await this.#runMigration(migration, confirm);
    if (path.length > 0)
      await this.#transact([], (transaction) =>
        runAll(transaction, [...dropReadableViews, ...createReadableViews(this.dialect.readableTime)]),
      );
  }

  async #runMigration(migration: SteppedMigration, confirm: () => Promise<void>): Promise<void> {
    const { from, to } = migration;
    const steps = migration.steps(this.dialect);
    const begun = await readProgress(this.#reader, to);
    for (const [number, step] of steps.entries()) {
      if (number < begun.step) continue;
      await confirm();
      this.notify(`Migration to schema ${to}, step ${number + 1} of ${steps.length}: ${describeStep(step)}`);
      const next = beginStep(to, number + 1);
      if (step.kind === 'index') await this.#makeIndex(step);
      else if (step.kind === 'fill')
        await this.#fill(step, number === begun.step ? begun : beginStep(to, number), confirm);
      else {
        if (step.kind === 'contract') await this.#requireNoneBefore(from);
        const dropped = step.kind === 'contract' ? dropReadableViews : [];
        await this.#transact(step.locks, async (transaction) => {
          await runAll(transaction, [...dropped, ...step.statements]);
          await saveProgress(transaction, next);
        });
        continue;
      }
      await this.#transact([], (transaction) => saveProgress(transaction, next));
    }
    await this.#transact([], async (transaction) => {
      await recordMigration(transaction, migration);
      await transaction.run(sql`delete from secret where name = ${progressName}`);
    });
  }

  /** Between two batches, clients have the database to themselves for as long as a batch takes. */
  async #fill(
    { table, key, set, rest }: Extract<Step, { kind: 'fill' }>,
    begun: MigrationProgress,
    confirm: () => Promise<void>,
  ): Promise<void> {
    const column = raw(key);
    for (let { position } = begun; ; ) {
      const startedAt = performance.now();
      const last = await this.#transact([], async (transaction) => {
        const keys = sql`select ${column} from ${raw(table)} where ${column} > ${position} order by ${column} limit ${batchSize}`;
        const row = await first(transaction, { last: integer(sql`max(${column})`) })`from (${keys}) as batch`;
        if (!row?.last) return undefined;
        await transaction.run(sql`update ${raw(table)} set ${raw(set)}
          where ${column} > ${position} and ${column} <= ${row.last} and (${raw(rest)})`);
        await saveProgress(transaction, { ...begun, position: row.last });
        return row.last;
      });
      if (last === undefined) return;
      position = last;
      await confirm();
      await Bun.sleep(performance.now() - startedAt);
    }
  }

  /** A killed process leaves an index that is not valid, or a server that still makes it, and holds the lock so long. */
  async #makeIndex({ table, index }: Extract<Step, { kind: 'index' }>): Promise<void> {
    const name = nameOfIndex(index);
    const found = await this.#transact(
      [table],
      (transaction) =>
        first(transaction, {
          valid: integer(sql`indisvalid::int`),
        })`from pg_index where indexrelid = to_regclass(${name})`,
    );
    if (found?.valid) return;
    await this.pool.run(async (connection) => {
      if (found) await connection.unsafe(`drop index concurrently ${name}`);
      await connection.unsafe(createIndex(table, index, 'concurrently '));
    });
  }

  /** A program that does not know a schema would fail after the contraction. */
  async #requireNoneBefore(schema: number): Promise<void> {
    const names = await all(this.#reader, { name: text(sql`application_name`) })`
      from pg_stat_activity where datname = current_database() and application_name like ${`${programName}%`}`;
    if (names.some(({ name }) => Number(name.slice(programName.length)) < schema))
      throw new OperatorError(
        `Servers or commands of an earlier version still use the database: stop all before schema ${schema}, and try again. A pooler keeps their connections for some minutes.`,
      );
  }

  /** Tries again until the locks are free. A table is first kept from everything but reads and writes. */
  async #transact<Result>(
    locks: readonly string[],
    work: (transaction: PostgresTransaction) => Promise<Result>,
  ): Promise<Result> {
    const begin = (connection: SQL) =>
      connection.begin(async (client) => {
        const transaction = new PostgresTransaction(clientOf(client), noQueue);
        await transaction.run(raw(`set local lock_timeout = '${firstLockTimeout}'`));
        for (const table of locks)
          await transaction.run(raw(`lock table ${table} in share update exclusive mode`));
        await transaction.run(raw(`set local lock_timeout = '${lockTimeout}'`));
        return work(transaction);
      });
    for (;;) {
      try {
        return (await this.pool.run(begin)) as Result;
      } catch (error) {
        const { errno } = (error instanceof Unavailable ? error.cause : error) as { errno?: unknown };
        if (!/^(55P03|40P01)$/.test(String(errno))) throw error;
        await Bun.sleep(retryMs);
      }
    }
  }
}

const saveProgress = (transaction: PostgresTransaction, progress: MigrationProgress) =>
  transaction.upsert(secretTable, [{ name: progressName, value: JSON.stringify(progress) }]);

async function runAll(transaction: PostgresTransaction, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await transaction.run(raw(statement));
}

function describeStep(step: Step): string {
  if (step.kind === 'fill') return `fill ${step.table}`;
  return step.kind === 'index' ? `index ${nameOfIndex(step.index)}` : step.kind;
}
