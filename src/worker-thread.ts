// Runs work that takes long in another thread, one job after another, so that other requests do not wait for it. The
// queue and the time of a job are limited: a thread that takes too long is ended and started again for the next job.

import { Unavailable } from './errors.ts';

interface WorkerLimits {
  readonly maxQueued: number;
  readonly timeoutMs: number;
}

interface QueuedJob<Job, Result> {
  readonly job: Job;
  resolve(result: Result | undefined): void;
  reject(error: unknown): void;
}

/** What the thread sends back for a job: see `serveJobs`. */
type JobOutcome<Result> = { readonly result: Result } | { readonly error: string };

export class WorkerThread<Job, Result> {
  #thread: Worker | undefined;
  #queue: QueuedJob<Job, Result>[] = [];
  #current: QueuedJob<Job, Result> | undefined;
  #timer: Timer | undefined;

  /** `url` is the module of the thread, which calls `serveJobs`. */
  constructor(
    private readonly url: URL,
    private readonly limits: WorkerLimits,
  ) {}

  /** The result; undefined if the job took too long. Rejects with Unavailable if too many jobs are waiting. */
  run(job: Job): Promise<Result | undefined> {
    if (this.#queue.length >= this.limits.maxQueued)
      return Promise.reject(new Unavailable('too many jobs wait for the thread'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, resolve, reject });
      this.#runNext();
    });
  }

  #runNext(): void {
    if (this.#current) return;
    this.#current = this.#queue.shift();
    if (!this.#current) return;
    this.#thread ??= this.#startThread();
    this.#timer = setTimeout(() => {
      this.#endThread();
      this.#finish((job) => job.resolve(undefined));
    }, this.limits.timeoutMs);
    this.#thread.postMessage(this.#current.job);
  }

  #finish(settle: (job: QueuedJob<Job, Result>) => void): void {
    const job = this.#current;
    if (!job) return;
    clearTimeout(this.#timer);
    this.#current = undefined;
    settle(job);
    this.#runNext();
  }

  #startThread(): Worker {
    // Without a reference, the thread does not keep the process running.
    const thread = new Worker(this.url.href, { ref: false });
    thread.onmessage = ({ data }: MessageEvent<JobOutcome<Result>>) =>
      this.#finish((job) =>
        'result' in data ? job.resolve(data.result) : job.reject(new Error(data.error)),
      );
    thread.onerror = ({ message }) => {
      this.#endThread();
      this.#finish((job) => job.reject(new Error(message)));
    };
    return thread;
  }

  #endThread(): void {
    this.#thread?.terminate();
    this.#thread = undefined;
  }
}

declare const self: Worker;

/** Called in the thread: handles each job and sends the result back. */
export function serveJobs<Job, Result>(handle: (job: Job) => Result): void {
  self.onmessage = ({ data }: MessageEvent<Job>) => {
    let outcome: JobOutcome<Result>;
    try {
      outcome = { result: handle(data) };
    } catch (error) {
      outcome = { error: error instanceof Error ? error.message : String(error) };
    }
    self.postMessage(outcome);
  };
}
