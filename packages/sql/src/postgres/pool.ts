// Connections to PostgreSQL with a queue in front: Bun's own queue is unbounded and keeps the queries of requests that
// are over. Each connection is opened when it is first needed.

import type { SQL } from 'bun';
import { Refused, Unavailable } from '../../../common/src/errors.ts';
import { currentLifetime } from '../../../common/src/request-lifetime.ts';
import { type QueueStats, RequestQueue } from '../../../common/src/request-queue.ts';

type Rows = Record<string, unknown>[];

/** Runs statements: a pool, a connection, or a transaction on one. */
export interface Client {
  query(text: string, values: readonly unknown[]): Promise<Rows>;
}

/** Within a transaction. */
export interface TransactionClient extends Client {
  /** Runs a `copy … from stdin` with these rows, in PostgreSQL's text format. */
  copy(statement: string, rows: string): Promise<void>;
  /** Begins or ends the transaction, and returns what the server did. Prepared, so that it is sent together with others. */
  control(command: string): Promise<string>;
}

interface PoolLimits {
  readonly maxConnections: number;
  readonly maxWaiting: number;
  /**
   * How many short queries a connection is sent at a time; they are not canceled. With 1, a query is canceled on the
   * server when its request is over.
   */
  readonly queriesPerConnection: number;
}

interface Connection {
  readonly client: SQL;
  running: number;
}

/** A connection is closed if the server does not react to the end of a request for so long. */
const maxSilenceMs = 5000;
/** The same for a short query: longer than the server works on one. */
const maxQueryMs = 65_000;

export class PostgresPool implements Client {
  readonly #queue: RequestQueue;
  #connections: Connection[] = [];

  constructor(
    private readonly connect: () => SQL,
    private readonly limits: PoolLimits,
    private readonly onFailure?: () => void,
  ) {
    const { maxConnections, queriesPerConnection, maxWaiting } = limits;
    this.#queue = new RequestQueue({ maxRunning: maxConnections * queriesPerConnection, maxWaiting });
  }

  get stats(): QueueStats {
    return this.#queue.stats;
  }

  async query(text: string, values: readonly unknown[]): Promise<Rows> {
    if (this.limits.queriesPerConnection === 1)
      return this.run((client) => clientOf(client).query(text, values));
    const waiting = this.#queue.enter();
    if (waiting) await waiting;
    const startedAt = performance.now();
    const connection = this.#takeConnection();
    const timer = setTimeout(() => this.#drop(connection), maxQueryMs);
    try {
      return await (values.length > 0
        ? connection.client.unsafe(text, [...values])
        : connection.client(asTemplate(text)));
    } catch (error) {
      this.onFailure?.();
      throw error;
    } finally {
      clearTimeout(timer);
      connection.running--;
      this.#queue.leave(startedAt);
    }
  }

  /** Runs work on a connection that nothing else uses meanwhile; not for a pool that shares its connections. */
  run<Result>(work: (client: SQL) => Promise<Result>): Promise<Result> {
    return this.#queue.run(async () => {
      const connection = this.#takeConnection();
      const signal = currentLifetime()?.signal;
      let timer: Timer | undefined;
      const onAbort = () => {
        timer = setTimeout(() => this.#drop(connection), maxSilenceMs);
      };
      signal?.addEventListener('abort', onAbort);
      try {
        return await work(connection.client);
      } catch (error) {
        // The server has become a replica: behind its address there may be another one.
        if (sqlStateOf(error) === '25006') this.#drop(connection);
        this.onFailure?.();
        throw error;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        connection.running--;
        // A cancellation may reach the server late, and would cancel a statement of the next transaction.
        if (signal?.aborted) this.#drop(connection);
      }
    });
  }

  /** The first idle connection: with few queries, few are open. */
  #takeConnection(): Connection {
    let best = this.#connections[0];
    for (const connection of this.#connections) {
      if (!best || best.running === 0) break;
      if (connection.running < best.running) best = connection;
    }
    if (!best || (best.running > 0 && this.#connections.length < this.limits.maxConnections)) {
      best = { client: this.connect(), running: 0 };
      this.#connections.push(best);
    }
    best.running++;
    return best;
  }

  /** Closes a connection in use: its query fails. */
  #drop(dropped: Connection): void {
    this.#connections = this.#connections.filter((connection) => connection !== dropped);
    dropped.client.close({ timeout: 0 });
  }

  /** Closes all connections: their queries fail. The next ones may reach another server. */
  reset(): void {
    for (const connection of this.#connections) this.#drop(connection);
  }

  async close(timeoutSeconds: number): Promise<void> {
    await Promise.all(this.#connections.map(({ client }) => client.close({ timeout: timeoutSeconds })));
  }
}

/** Text alone would not be prepared. */
const asTemplate = (text: string) =>
  Object.defineProperty([text], 'raw', { value: [text] }) as unknown as TemplateStringsArray;

const sqlStateOf = (error: unknown) =>
  ((error instanceof Unavailable ? error.cause : error) as { errno?: unknown } | undefined)?.errno;

/** Cancels a query when the current request is over. */
export const clientOf = (connection: SQL): TransactionClient => ({
  async query(text, values) {
    const signal = currentLifetime()?.signal;
    if (signal?.aborted) throw new Refused('the request is over');
    // Now, and not when it is awaited: statements are sent in the order of the calls.
    const query = connection.unsafe(text, [...values]).execute();
    if (!signal) return query;
    const cancel = () => void query.cancel();
    signal.addEventListener('abort', cancel);
    try {
      return await query;
    } catch (error) {
      if (signal.aborted) throw new Refused('the request is over');
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  },
  async copy(statement, rows) {
    const writer = connection.unsafe(statement).writable().getWriter();
    await Promise.all([writer.write(rows), writer.close()]);
  },
  async control(command) {
    return (await connection(asTemplate(command)).execute()).command;
  },
});
