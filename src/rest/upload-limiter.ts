// Limits how many large bodies are handled at the same time, in total and for each sender, because each is held in
// memory. The body of a waiting request is not read; after a timeout the response is 503. A sender who is too slow gives
// up the place.

import { Unavailable } from '../errors.ts';
import { maxBodyBytes } from './parsers.ts';
import type { UploadPace } from './read-body.ts';
import type { RequestContext } from './request-context.ts';
import { UploadBudget } from './upload-budget.ts';

const maxRunning = 4;
const maxRunningPerSender = 2;
const queueTimeoutMs = 6000;
/** The time limit also holds for processing the body. The grace time is shorter than the time that others wait. */
const pace: UploadPace = { timeoutMs: 120_000, graceMs: 5000, minBytesPerSecond: 16_000 };

interface WaitingUpload {
  readonly sender: string;
  start(): void;
}

export class UploadLimiter {
  #running: string[] = [];
  #waiting: WaitingUpload[] = [];
  #budget: UploadBudget;

  constructor(
    /** The maximum size of a body. */
    readonly maxBytes: number,
    /** The limit for one sender in a day. */
    bytesPerDay = Number.POSITIVE_INFINITY,
  ) {
    this.#budget = new UploadBudget(bytesPerDay);
  }

  /** Runs the work when there is room. `sender` identifies the viewer. */
  async acceptUpload<Result>(
    context: RequestContext,
    sender: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const announced = Number(context.headers.get('Content-Length') ?? this.maxBytes);
    const spend = () => this.#budget.spend(sender, Math.min(announced, this.maxBytes));
    // A body that is not large needs no place.
    if (announced <= Math.min(maxBodyBytes, this.maxBytes)) {
      spend();
      return work();
    }
    return this.run(sender, () => {
      spend();
      context.allowUpload(this.maxBytes, pace);
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
      this.#startWaiting();
    }
  }

  #countRunning(sender: string): number {
    return this.#running.filter((other) => other === sender).length;
  }

  /** The last place is kept for a sender who has none. */
  #hasRoom(sender: string): boolean {
    const own = this.#countRunning(sender);
    const room = own === 0 ? maxRunning : maxRunning - 1;
    return this.#running.length < room && own < maxRunningPerSender;
  }

  /** Senders with fewer running uploads go first, then those who have waited longer. */
  #startWaiting(): void {
    for (let own = 0; own < maxRunningPerSender; own++) {
      const isNext = ({ sender }: WaitingUpload) =>
        this.#countRunning(sender) === own && this.#hasRoom(sender);
      for (let next = this.#waiting.find(isNext); next; next = this.#waiting.find(isNext)) next.start();
    }
  }

  #waitForRoom(sender: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
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
        reject(new Unavailable('too many large bodies are handled already'));
      }, queueTimeoutMs);
      this.#waiting.push(waiting);
    });
  }
}
