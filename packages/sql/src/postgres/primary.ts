// The connections to the server that takes writes. If the address names several servers, all are asked which one that
// is, again and again: another one may be promoted at any time.

import { errorMessage, OperatorError } from '../../../common/src/errors.ts';
import { SharedCall } from '../../../common/src/shared-call.ts';
import { PostgresProbe } from './probe.ts';
import { closePools, createPools, hostOf, type Pools } from './server.ts';
import { currentTimeline } from './wal-position.ts';

const searchIntervalMs = 250;
const searchTimeoutMs = 500;
/** At the start, a server may need longer. */
const firstSearchTimeoutMs = 5000;

/** Each promotion begins a new timeline. A server that was replaced may still take writes, on the old one. */
const stateQuery = `
  select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as is_read_only,
         case when pg_is_in_recovery() then 0 else ${currentTimeline} end as timeline`;

export const replicaProblem = 'it is a replica';

export interface ServerState {
  readonly url: URL;
  /** 0 for a server that takes no writes. */
  readonly timeline: number;
  /** Why it takes none, if it takes none. */
  readonly problem: string;
}

export class PostgresPrimary {
  readonly pools: Pools;
  readonly #probes: PostgresProbe[];
  #url: URL;
  #timeline = 0;
  /** A server that takes writes and is not used. */
  #outdated: ServerState | undefined;
  #timer: Timer | undefined;
  readonly #searching = new SharedCall(() => this.#search());
  #onChange = () => {};

  constructor(
    urls: readonly [URL, ...URL[]],
    private readonly program: string,
    private readonly notify: (message: string) => void,
  ) {
    this.#url = urls[0];
    this.#probes = urls.length > 1 ? urls.map((url) => new PostgresProbe(url)) : [];
    this.pools = createPools(
      () => this.#url,
      () => void this.search(),
    );
  }

  get url(): URL {
    return this.#url;
  }

  /** Returns the states of several servers, and throws if none takes writes. */
  async find(): Promise<readonly ServerState[]> {
    if (this.#probes.length === 0) return [];
    const states = await this.#askAll(firstSearchTimeoutMs);
    const best = this.#findBest(states);
    if (!best)
      throw new OperatorError(
        `No PostgreSQL server takes writes: ${states.map(({ url, problem }) => `${hostOf(url)}: ${problem}`).join('; ')}.`,
      );
    this.#url = best.url;
    this.#timeline = best.timeline;
    return states;
  }

  /** Follows a promotion from now on. `onChange` is called when another server takes writes. */
  watch(onChange: () => void): void {
    this.#onChange = onChange;
    if (this.#probes.length > 0) this.#timer = setInterval(() => this.search(), searchIntervalMs).unref();
  }

  /** Asks all servers now. Nothing changes if none takes writes; returns whether another one does. */
  search(): Promise<boolean> {
    return this.#searching.run();
  }

  async #search(): Promise<boolean> {
    if (!this.#timer) return false;
    const states = await this.#askAll(searchTimeoutMs);
    const best = this.#findBest(states);
    this.#reportOutdated(best ? undefined : states.find(({ timeline }) => timeline > 0));
    if (!best || (best.url === this.#url && best.timeline === this.#timeline)) return false;
    this.#url = best.url;
    this.#timeline = best.timeline;
    for (const pool of Object.values(this.pools)) pool.reset();
    this.#onChange();
    this.notify(`Writes go to the PostgreSQL server ${hostOf(best.url)} now (timeline ${best.timeline}).`);
    return true;
  }

  #reportOutdated(server: ServerState | undefined): void {
    if (server && server.timeline !== this.#outdated?.timeline)
      this.notify(
        `Only the PostgreSQL server ${hostOf(server.url)} takes writes, and it lacks what was written since its replacement (timeline ${this.#timeline}, its own is ${server.timeline}). Writes are refused. Bring back the newer server, or restart ${this.program} to go on without it.`,
      );
    this.#outdated = server;
  }

  #askAll(timeoutMs: number): Promise<ServerState[]> {
    return Promise.all(
      this.#probes.map(async (probe) => {
        const { url } = probe;
        try {
          const state = await probe.ask(stateQuery, timeoutMs);
          return { url, timeline: state.is_read_only ? 0 : Number(state.timeline), problem: replicaProblem };
        } catch (error) {
          return { url, timeline: 0, problem: errorMessage(error) };
        }
      }),
    );
  }

  /** A promotion is not taken back: a server on an earlier timeline was replaced while it could not be reached. */
  #findBest(states: readonly ServerState[]): ServerState | undefined {
    const [best] = states
      .filter(({ timeline }) => timeline > 0 && timeline >= this.#timeline)
      .sort((a, b) => b.timeline - a.timeline || Number(b.url === this.#url) - Number(a.url === this.#url));
    return best;
  }

  async close(timeoutSeconds: number): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const probe of this.#probes) probe.close();
    await closePools(this.pools, timeoutSeconds);
  }
}
