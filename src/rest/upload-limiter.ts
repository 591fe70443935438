// Room for large bodies. Each is held in memory while it is read and looked at, so that only a few are let in at a
// time, and of one sender fewer still; who waits is not read meanwhile, and is told to come again after a while.

import { Unavailable } from '../errors.ts';
import type { RequestContext } from './request-context.ts';

const maxRunning = 4;
const maxRunningPerSender = 2;
const queueTimeoutMs = 6000;
/** How long a body may take to come in and to be looked at. */
const uploadSeconds = 120;

interface WaitingUpload {
  readonly sender: string;
  start(): void;
}

export class UploadLimiter {
  #running: string[] = [];
  #waiting: WaitingUpload[] = [];

  constructor(
    /** Bytes of a body. */
    readonly maxBytes: number,
  ) {}

  /** Does the work when there is room, and until then reads nothing; `sender` tells one from another. */
  async acceptUpload<Result>(
    context: RequestContext,
    sender: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.run(sender, () => {
      context.allowUpload(this.maxBytes, uploadSeconds);
      return work();
    });
  }

  async run<Result>(sender: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#hasRoom(sender)) this.#running.push(sender);
    else await this.#waitForRoom(sender);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(sender), 1);
      const next = this.#waiting.find((waiting) => this.#hasRoom(waiting.sender));
      next?.start();
    }
  }

  #hasRoom(sender: string): boolean {
    const own = this.#running.filter((each) => each === sender);
    return this.#running.length < maxRunning && own.length < maxRunningPerSender;
  }

  #waitForRoom(sender: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
      };
      const waiting: WaitingUpload = {
        sender,
        start: () => {
          leave();
          this.#running.push(sender);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(new Unavailable());
      }, queueTimeoutMs);
      this.#waiting.push(waiting);
    });
  }
}
