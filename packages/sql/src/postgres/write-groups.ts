// Writes that do not depend on each other share a transaction on PostgreSQL, and their statements: a commit and a
// statement cost more than a row. If one of them fails after it wrote something, everything is rolled back, and each
// write runs in a transaction of its own.

import {
  currentLifetime,
  RequestLifetime,
  runOutsideRequests,
} from '../../../common/src/request-lifetime.ts';
import { type QueueStats, RequestQueue } from '../../../common/src/request-queue.ts';
import type { Row, Table } from '../columns.ts';
import type { Transaction } from '../database.ts';
import type { TransactionClient } from './pool.ts';
import { insertStatement, PostgresTransaction } from './transaction.ts';

/** The server works on one group, and this process on the other. */
const maxGroups = 2;
const maxGroupSize = 32;
const maxWaiting = 500;
/** How long a group takes at most until its commit. */
const groupTimeoutMs = 5000;

type Rows = Record<string, unknown>[];

interface SharedStatement extends PromiseWithResolvers<Rows> {
  readonly text: string;
  /** Undefined if the parameter is an array with the rows of all writes. */
  readonly values: readonly unknown[] | undefined;
  readonly rows: unknown[];
}

/** Collects what the writes of a group send in one turn of the event loop. */
class SharedStatements {
  hasFailed = false;
  readonly #statements = new Map<unknown, SharedStatement>();

  constructor(
    private readonly connection: TransactionClient,
    private readonly lifetime: RequestLifetime,
  ) {}

  /** Statements with the same key are sent once. */
  add(key: unknown, text: string, values?: readonly unknown[]): SharedStatement {
    const found = this.#statements.get(key);
    if (found) return found;
    // One of the requests may end while the others go on.
    if (this.#statements.size === 0) this.lifetime.run(() => setImmediate(() => this.send()));
    const statement = { text, values, rows: [], ...Promise.withResolvers<Rows>() };
    this.#statements.set(key, statement);
    return statement;
  }

  /** Called at the end too: a write that failed may have left a statement, which must not run in another transaction. */
  send(): void {
    for (const { text, values, rows, resolve, reject } of this.#statements.values()) {
      this.connection.query(text, values ?? [JSON.stringify(rows)]).then(resolve, (error) => {
        this.hasFailed = true;
        reject(error);
      });
    }
    this.#statements.clear();
  }
}

/** One of the writes that share a transaction. */
class GroupedTransaction extends PostgresTransaction {
  hasWritten = false;

  constructor(
    { connection, changeLog }: PostgresTransaction,
    private readonly statements: SharedStatements,
  ) {
    super(connection, changeLog);
  }

  protected override async execute(text: string, values: readonly unknown[]): Promise<Rows> {
    this.lifetime.requireOpen();
    const isRead = text.startsWith('select ');
    this.hasWritten ||= !isRead;
    return this.statements.add(isRead ? `${text}${JSON.stringify(values)}` : Symbol(), text, values).promise;
  }

  protected override async executeRows(text: string, rows: readonly unknown[]): Promise<Rows> {
    this.lifetime.requireOpen();
    this.hasWritten = true;
    const statement = this.statements.add(text, text);
    const place = statement.rows.push(...rows) - rows.length;
    return (await statement.promise).slice(place, place + rows.length);
  }

  /** The rows of others may be missing before a copy: nothing is copied. */
  override async insert<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void> {
    await this.executeRows(insertStatement(table), rows);
  }
}

interface GroupedWrite {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly request: RequestLifetime | undefined;
  /** For the trace of the request. */
  readonly endWait: (() => void) | undefined;
  /** Undefined if the write must run in a transaction of its own. */
  resolve(outcome: { readonly result: never } | undefined): void;
  reject(error: unknown): void;
}

interface GroupDependencies {
  /** Runs one transaction and does not retry it. */
  transact(work: (transaction: PostgresTransaction) => Promise<void>): Promise<void>;
  /** Receives the errors of callbacks that follow a commit. */
  reportError(error: unknown): void;
}

export class PostgresWriteGroups {
  readonly #queue = new RequestQueue({ maxRunning: maxGroups * maxGroupSize, maxWaiting });
  readonly #waiting: GroupedWrite[] = [];
  #groups = 0;

  constructor(private readonly deps: GroupDependencies) {}

  get stats(): QueueStats {
    return this.#queue.stats;
  }

  /** Undefined if the write must run in a transaction of its own. */
  run<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    const request = currentLifetime();
    return this.#queue.run(
      () =>
        new Promise((resolve, reject) => {
          const endWait = request?.trace?.start('wait');
          this.#waiting.push({ work, request, endWait, resolve, reject });
          if (this.#waiting.length === 1 && this.#groups < maxGroups) this.#startGroup();
        }),
    );
  }

  /** With all writes that arrive in this turn of the event loop. */
  #startGroup(): void {
    this.#groups++;
    runOutsideRequests(() => setImmediate(() => this.#runGroup(this.#waiting.splice(0, maxGroupSize))));
  }

  async #runGroup(writes: readonly GroupedWrite[]): Promise<void> {
    let settlers: (() => void)[] = [];
    let shared: PostgresTransaction | undefined;
    const lifetime = new RequestLifetime(groupTimeoutMs, { hasPriority: true });
    for (const { endWait } of writes) endWait?.();
    try {
      await lifetime.withinTimeLimit(() =>
        this.deps.transact(async (transaction) => {
          shared = transaction;
          settlers = await this.#runWrites(transaction, writes, lifetime);
        }),
      );
      for (const settle of settlers) settle();
    } catch (error) {
      for (const { resolve, reject } of writes) shared?.mayBeCommitted ? reject(error) : resolve(undefined);
    }
    this.#groups--;
    if (this.#waiting.length > 0) this.#startGroup();
  }

  /** Returns what to call after the commit. Throws if a write has failed that has written something. */
  async #runWrites(
    transaction: PostgresTransaction,
    writes: readonly GroupedWrite[],
    lifetime: RequestLifetime,
  ): Promise<(() => void)[]> {
    const statements = new SharedStatements(transaction.connection, lifetime);
    const done: { readonly write: GroupedWrite; readonly member: GroupedTransaction; result: unknown }[] = [];
    const runWrite = async (write: GroupedWrite) => {
      const { work, request, reject } = write;
      const member = new GroupedTransaction(transaction, statements);
      const run = () => member.lifetime.run(() => work(member));
      try {
        request?.throwIfOver();
        done.push({ write, member, result: await (request ? request.run(run) : run()) });
      } catch (error) {
        if (member.hasWritten || statements.hasFailed) throw error;
        reject(error);
      }
    };
    const outcomes = await Promise.allSettled(writes.map(runWrite));
    statements.send();
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    const appended = done.map(({ member }) => member.appended);
    await transaction.appendChanges(
      appended.flatMap(({ changes }) => changes),
      appended.flatMap(({ counts }) => counts),
    );
    for (const { write } of done) write.request?.beginCommit();
    return done.map(({ write, member, result }) => () => {
      member.lifetime.runCallbacks(this.deps.reportError);
      write.resolve({ result: result as never });
    });
  }
}
