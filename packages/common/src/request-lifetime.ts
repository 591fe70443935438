// How long a request is worth working for: until its time is over or its client has hung up. Whatever works for the
// request finds its lifetime by `currentLifetime`. A response of 503 says that nothing was changed: a write that still
// waits when the lifetime ends does not happen, and the response waits for a write that is being committed.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Refused, Unavailable } from './errors.ts';
import type { RequestTrace } from './request-trace.ts';
import { timeLimits } from './time-limits.ts';
import { withResolvers } from './with-resolvers.ts';

const lifetimes = new AsyncLocalStorage<RequestLifetime | undefined>();

/** How long a response can wait for the outcome of a commit, and for what is read afterwards. */
const commitSeconds = 5;
/** Added to the time for which the connection stays open, so that the response can be sent. */
const responseSeconds = 5;

export interface LifetimeOptions {
  /** The client's request: it is read only when it matters, because that takes time. */
  readonly request?: Request;
  readonly startedAt?: number;
  /** Its work goes before other requests and is not refused. */
  readonly hasPriority?: boolean;
  /**
   * Its reads need not come from the server that takes writes: a replica may serve them that has all writes so far, or
   * one that is late by less than the database's `maxStalenessMs`, or any that responds.
   */
  readonly replicas?: 'current' | 'late' | 'any' | undefined;
  /** Undefined if nobody wants to know what the request spends its time on. */
  readonly trace?: RequestTrace | undefined;
  /** Called when the time changes: from now on, the connection must stay open for so long. */
  onExtend?(seconds: number): void;
}

export class RequestLifetime {
  readonly startedAt: number;
  hasPriority: boolean;
  /** Whether the response may be sent to others too. */
  allowsCaching = true;
  #deadline: number;
  #controller: AbortController | undefined;
  #timeUp: PromiseWithResolvers<never> | undefined;

  constructor(
    timeoutMs: number,
    private readonly options: LifetimeOptions = {},
  ) {
    this.startedAt = options.startedAt ?? performance.now();
    this.hasPriority = options.hasPriority ?? false;
    this.#deadline = this.startedAt + timeoutMs;
  }

  get replicas(): LifetimeOptions['replicas'] {
    return this.options.replicas;
  }

  get trace(): RequestTrace | undefined {
    return this.options.trace;
  }

  get remainingMs(): number {
    return Math.max(0, this.#deadline - performance.now());
  }

  /** Aborted when the client hangs up, or when the time is over while `withinTimeLimit` runs. */
  get signal(): AbortSignal {
    return this.#findController().signal;
  }

  #findController(): AbortController {
    if (!this.#controller) {
      const controller = new AbortController();
      const hangUp = this.options.request?.signal;
      if (hangUp?.aborted) controller.abort();
      else hangUp?.addEventListener('abort', () => controller.abort(), { once: true });
      this.#controller = controller;
    }
    return this.#controller;
  }

  /** The response lacks something that was not found in time. */
  forbidCaching(): void {
    this.allowsCaching = false;
  }

  throwIfOver(): void {
    if (this.remainingMs === 0 || this.#controller?.signal.aborted) throw new Refused('the request is over');
  }

  /** From now on, this is how much time is left. */
  extend(seconds: number): void {
    this.#deadline = performance.now() + seconds * 1000;
    this.options.onExtend?.(seconds + responseSeconds);
  }

  /**
   * Must be called before a commit. After it, 503 would be wrong: the request gets enough time for the commit and for
   * its response.
   */
  beginCommit(): void {
    this.throwIfOver();
    this.hasPriority = true;
    if (this.remainingMs < commitSeconds * 1000) this.extend(commitSeconds);
  }

  /** Everything that `work` starts can find this lifetime. */
  run<Result>(work: () => Result): Result {
    return lifetimes.getStore() === this ? work() : lifetimes.run(this, work);
  }

  /** Ends the time at once: `withinTimeLimit` rejects with this error. */
  end(error: unknown): void {
    this.#deadline = performance.now();
    this.#timeUp?.reject(error);
    this.#findController().abort();
  }

  /** Rejects when the time is over. */
  async withinTimeLimit<Result>(work: () => Promise<Result>): Promise<Result> {
    const timeUp = withResolvers<never>();
    this.#timeUp = timeUp;
    let timer: Timer;
    const check = () => {
      // A commit may have extended the time.
      if (this.remainingMs > 0) {
        timer = setTimeout(check, this.remainingMs);
        return;
      }
      timeUp.reject(new Unavailable('the request timed out'));
      this.#findController().abort();
    };
    timer = setTimeout(check, this.remainingMs);
    try {
      return await Promise.race([this.run(work), timeUp.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** A queue must read the lifetime when it accepts work: later, another request's lifetime may be current. */
export const currentLifetime = (): RequestLifetime | undefined => lifetimes.getStore();

/** Runs work that continues for others when the current request is over. */
export const runOutsideRequests = <Result>(work: () => Result): Result => lifetimes.run(undefined, work);

/** For metrics. Undefined if the database does not respond. */
export async function readWithinTimeLimit<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await new RequestLifetime(timeLimits.probe, { hasPriority: true }).withinTimeLimit(read);
  } catch {
    return undefined;
  }
}
