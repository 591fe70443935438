// Limits how many large bodies are handled at the same time, in total and for each sender, because each is held in
// memory. The body of a waiting request is not read; after a timeout the response is 503.

import { Unavailable } from '../errors.ts';
import type { RequestContext } from './request-context.ts';

const maxRunning = 4;
const maxRunningPerSender = 2;
const queueTimeoutMs = 6000;
/** The time limit for receiving and processing a body. */
const uploadSeconds = 120;

interface WaitingUpload {
  readonly sender: string;
  start(): void;
}

export class UploadLimiter {
  #running: string[] = [];
  #waiting: WaitingUpload[] = [];

  constructor(
    /** The maximum size of a body. */
    readonly maxBytes: number,
  ) {}

  /** Runs the work when there is room. `sender` identifies the viewer. */
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
    const own = this.#running.filter((other) => other === sender);
    return this.#running.length < maxRunning && own.length < maxRunningPerSender;
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
