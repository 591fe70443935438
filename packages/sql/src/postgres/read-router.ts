// Chooses the server for each read. A request reads from a replica only what is at least as new as everything that this
// process knows: otherwise old data would be cached under a new generation. A request with credentials first asks the
// primary how far it has come, so that it sees all writes that were acknowledged, by whatever process.

import { Refused, Unavailable } from '../../../common/src/errors.ts';
import {
  currentLifetime,
  type RequestLifetime,
  runOutsideRequests,
} from '../../../common/src/request-lifetime.ts';
import { withTimeout } from '../../../common/src/timeout.ts';
import type { ReplicaState } from '../database.ts';
import type { PostgresChangeLog } from './change-log.ts';
import type { Client } from './pool.ts';
import { PostgresPrimary } from './primary.ts';
import { PostgresReplica } from './replica.ts';
import type { ReadPools } from './server.ts';
import { translateError } from './transaction.ts';
import { describeTimeline, storeTimeline, type WalPosition } from './wal-position.ts';

const checkIntervalMs = 250;
/** If the primary does not respond for this long, reads go on with what is known. */
const maxSilenceMs = 2000;
/** A request waits for this long, and asks again after this pause, if no server has come far enough: one may be promoted. */
const maxWaitMs = 2000;
const retryMs = 50;

type ReadServer = PostgresReplica | PostgresPrimary;

interface RequestReads {
  /** The first is in use. A request continues to the next one, and never back: that could be older. */
  servers: ReadServer[];
  confirmed: Promise<void> | undefined;
  /** When the request has waited long enough; undefined before it waits. */
  waitsUntil: number | undefined;
}

export class PostgresReadRouter {
  readonly #replicas: readonly PostgresReplica[];
  readonly #requests = new WeakMap<RequestLifetime, RequestReads>();
  readonly #timer: Timer | undefined;
  /** Where the primary was at the last check. */
  #expected: WalPosition | undefined;
  /** The replica that the next request begins with. */
  #turn = 0;

  constructor(
    urls: readonly URL[],
    private readonly primary: PostgresPrimary,
    private readonly changeLog: PostgresChangeLog,
    notify: (message: string) => void,
  ) {
    this.#replicas = urls.map((url) => new PostgresReplica(url, notify));
    if (urls.length === 0) return;
    this.#check();
    this.#timer = setInterval(() => this.#check(), checkIntervalMs).unref();
  }

  /** Sends each query to the pool of this name, on the server that suits the current request. */
  clientFor(name: keyof ReadPools): Client {
    if (this.#replicas.length === 0) return this.primary.pools[name];
    return {
      query: (text, values) => {
        const lifetime = currentLifetime();
        if (!lifetime?.replicas) return this.primary.pools[name].query(text, values);
        return this.#query(lifetime, (server) => server.pools[name].query(text, values));
      },
    };
  }

  get states(): ReplicaState[] {
    return this.#replicas.map(({ host, isInUse }) => ({ host, isInUse }));
  }

  /** A query that a server does not answer is given to the next one: it only reads. */
  async #query<Rows>(lifetime: RequestLifetime, query: (server: ReadServer) => Promise<Rows>): Promise<Rows> {
    const reads = this.#requests.get(lifetime) ?? this.#begin(lifetime);
    for (;;) {
      const server = await this.#choose(reads, lifetime);
      try {
        return await query(server);
      } catch (error) {
        const failure = translateError(error);
        if (!(failure instanceof Unavailable) || failure instanceof Refused) throw error;
        if (reads.servers[0] === server) reads.servers.shift();
        if (reads.servers.length === 0 && !(await this.#wait(reads))) throw error;
      }
    }
  }

  #begin(lifetime: RequestLifetime): RequestReads {
    const reads = { servers: this.#listServers(), confirmed: undefined, waitsUntil: undefined };
    this.#requests.set(lifetime, reads);
    return reads;
  }

  /** The replicas take turns. The first one is tried again at the end: it may have come far enough meanwhile. */
  #listServers(): ReadServer[] {
    const turn = this.#turn++ % this.#replicas.length;
    const replicas = [...this.#replicas.slice(turn), ...this.#replicas.slice(0, turn)];
    const [first = this.primary, ...others] = replicas.sort((a, b) => Number(b.isInUse) - Number(a.isInUse));
    return [first, this.primary, ...others, first];
  }

  /** Returns whether the servers can be tried again. */
  async #wait(reads: RequestReads): Promise<boolean> {
    reads.waitsUntil ??= performance.now() + maxWaitMs;
    if (performance.now() > reads.waitsUntil) return false;
    await Bun.sleep(retryMs);
    reads.servers = this.#listServers();
    return true;
  }

  async #choose(reads: RequestReads, { replicas }: RequestLifetime): Promise<ReadServer> {
    if (replicas === 'current' || (replicas === 'late' && !this.changeLog.isConfirmed))
      reads.confirmed ??= runOutsideRequests(() => this.#confirm());
    await reads.confirmed;
    for (;;) {
      const [server] = reads.servers;
      if (!server) {
        if (!(await this.#wait(reads))) throw new Unavailable('no PostgreSQL server can be read');
        continue;
      }
      if (server instanceof PostgresPrimary || replicas === 'any') return server;
      // Anything older could be cached under the generation that belongs to this position.
      const { position } = this.changeLog;
      if (position && (await server.reaches(position))) return server;
      if (reads.servers[0] === server) reads.servers.shift();
    }
  }

  /** Learns where the primary is, or the one that has replaced it. If there is none, nothing is acknowledged either. */
  async #confirm(): Promise<void> {
    if (await this.#refresh()) return;
    if (await this.primary.search()) await this.#refresh();
  }

  #refresh(): Promise<boolean> {
    const silence = new Unavailable('the primary does not respond');
    return withTimeout(maxSilenceMs, this.changeLog.refresh(), silence).catch(() => false);
  }

  #check(): void {
    const expected = this.#expected;
    this.#expected = this.changeLog.position;
    for (const replica of this.#replicas) void replica.check(expected);
    const { position } = this.changeLog;
    if (position && position.stored !== describeTimeline(position))
      this.primary.pools.writes
        .run((client) => client.unsafe(storeTimeline, [describeTimeline(position)]))
        // Without it, the replicas stay out of use.
        .catch(() => {});
  }

  async close(timeoutSeconds: number): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#replicas.map((replica) => replica.close(timeoutSeconds)));
  }
}
