// One replica: its connections, how far it has come, and whether it is in use.

import { reasonOf } from '../../../common/src/errors.ts';
import { SharedCall } from '../../../common/src/shared-call.ts';
import { PostgresProbe } from './probe.ts';
import { closePools, createReadPools, hostOf, type ReadPools } from './server.ts';
import { isAtLeast, toWalPosition, type WalPosition, walPositionQuery } from './wal-position.ts';

/** A replica that does not respond for this long is out of use. */
const maxSilenceMs = 400;
/** How long a request waits for a replica that has not come far enough: most need about a millisecond. */
const maxWaitMs = 10;

export class PostgresReplica {
  readonly pools: ReadPools;
  readonly host: string;
  isInUse = false;
  /** How far it has come at least; undefined if that is unknown. */
  #position: WalPosition | undefined;
  /** Why it is not in use; undefined before the first check. */
  #problem: string | undefined = '';
  readonly #probe: PostgresProbe;
  readonly #ask = new SharedCall(() => this.#askPosition());

  constructor(
    url: URL,
    private readonly notify: (message: string) => void,
  ) {
    // After a crash, a server may begin before the place that it had come to.
    const onClose = () => {
      this.#position = undefined;
    };
    this.host = hostOf(url);
    this.pools = createReadPools(() => url, { onClose });
    this.#probe = new PostgresProbe(url, onClose);
  }

  /** Whether it shows everything up to a position, now or within a moment. */
  async reaches(position: WalPosition): Promise<boolean> {
    for (const end = performance.now() + maxWaitMs; ; ) {
      if (this.#position && isAtLeast(this.#position, position)) return true;
      if (performance.now() > end || !this.isInUse) return false;
      try {
        await this.#ask.run();
      } catch {
        return false;
      }
    }
  }

  /** Takes it out of use if it does not respond, or has not come to where the primary was at the last check. */
  async check(expected: WalPosition | undefined): Promise<void> {
    try {
      const position = await this.#ask.run();
      if (expected && position.cluster !== expected.cluster)
        this.#report('it is a replica of something else');
      else if (expected && !isAtLeast(position, expected)) this.#report('it lags behind');
      else this.#report(undefined);
    } catch (error) {
      this.#report(reasonOf(error));
      // The queries that wait for it fail, and are given to another server.
      for (const pool of Object.values(this.pools)) pool.reset();
    }
  }

  async #askPosition(): Promise<WalPosition> {
    this.#position = toWalPosition(await this.#probe.ask(walPositionQuery, maxSilenceMs));
    return this.#position;
  }

  #report(problem: string | undefined): void {
    this.isInUse = problem === undefined;
    if (problem === this.#problem) return;
    const wasOut = Boolean(this.#problem);
    this.#problem = problem;
    if (problem === undefined) this.notify(`The replica ${this.host} is in use.`);
    else if (!wasOut) this.notify(`The replica ${this.host} is out of use: ${problem}.`);
  }

  async close(timeoutSeconds: number): Promise<void> {
    this.#probe.close();
    await closePools(this.pools, timeoutSeconds);
  }
}
