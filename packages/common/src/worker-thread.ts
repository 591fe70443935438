// Runs work that takes long in another thread, one job after another, so that other requests do not wait for it. The
// queue is limited, and so is the time of a job: a thread that takes too long is ended and started again for the next
// job.

import { type QueueStats, RequestQueue } from './request-queue.ts';

interface WorkerLimits {
  readonly maxWaiting: number;
  /** Undefined if a job cannot be interrupted. */
  readonly timeoutMs?: number;
}

/** A message of the thread, when it is ready and after each job: see `serveJobs`. */
type ThreadMessage<Result> = 'ready' | { readonly result: Result } | { readonly error: string };

export class WorkerThread<Job, Result> {
  readonly #queue: RequestQueue;
  #thread: Worker | undefined;
  #start: PromiseWithResolvers<void> | undefined;
  #current: PromiseWithResolvers<Result | undefined> | undefined;

  /** `url` is the module of the thread, which calls `serveJobs`. */
  constructor(
    private readonly url: URL,
    private readonly limits: WorkerLimits,
  ) {
    this.#queue = new RequestQueue({ maxRunning: 1, maxWaiting: limits.maxWaiting });
  }

  get isBusy(): boolean {
    return !this.#queue.isIdle;
  }

  get stats(): QueueStats {
    return this.#queue.stats;
  }

  /** Takes the bytes of the job with it. The result; undefined if the job took too long. Rejects with Unavailable if too many jobs are waiting. */
  run(job: Job): Promise<Result | undefined> {
    return this.#queue.run(() => this.#perform(job), { prepare: () => this.#ensureThread() });
  }

  /** Ends the thread until the next job. */
  end(): void {
    this.#thread?.terminate();
    this.#thread = undefined;
  }

  async #ensureThread(): Promise<void> {
    if (this.#thread) return;
    this.#start = Promise.withResolvers();
    this.#thread = this.#startThread();
    await this.#start.promise;
  }

  async #perform(job: Job): Promise<Result | undefined> {
    const current = Promise.withResolvers<Result | undefined>();
    this.#current = current;
    const { timeoutMs } = this.limits;
    const giveUp = () => {
      this.end();
      current.resolve(undefined);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(giveUp, timeoutMs);
    this.#thread?.postMessage(job, ownBuffers(job));
    try {
      return await current.promise;
    } finally {
      clearTimeout(timer);
      this.#current = undefined;
    }
  }

  #startThread(): Worker {
    // Without a reference, the thread does not keep the process running.
    const thread = new Worker(this.url.href, { ref: false });
    thread.onmessage = ({ data }: MessageEvent<ThreadMessage<Result>>) => {
      // A thread that was ended may have sent a result before.
      if (thread !== this.#thread) return;
      if (data === 'ready') this.#start?.resolve();
      else if ('result' in data) this.#current?.resolve(data.result);
      else this.#current?.reject(new Error(data.error));
    };
    thread.onerror = ({ message }) => {
      this.end();
      const error = new Error(message);
      this.#start?.reject(error);
      this.#current?.reject(error);
    };
    return thread;
  }
}

/** Buffers that are handed over: copying one takes four times its memory. Not one that has other bytes too. */
const ownBuffers = (message: unknown): ArrayBuffer[] =>
  (message instanceof Uint8Array ? [message] : Object.values(message ?? {}))
    .filter((value) => value instanceof Uint8Array && value.length === value.buffer.byteLength)
    .map(({ buffer }) => buffer);

declare const self: Worker;

/** Called in the thread: handles each job and sends the result back. */
export function serveJobs<Job, Result>(handle: (job: Job) => Result | Promise<Result>): void {
  self.onmessage = async ({ data }: MessageEvent<Job>) => {
    let outcome: ThreadMessage<Result>;
    try {
      outcome = { result: await handle(data) };
    } catch (error) {
      outcome = { error: error instanceof Error ? error.message : String(error) };
    }
    self.postMessage(outcome, 'result' in outcome ? ownBuffers(outcome.result) : []);
  };
  self.postMessage('ready');
}
