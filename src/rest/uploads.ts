// Room for large bodies. Each is held in memory while it is read and looked at, so that only a few are let in at a
// time, and of one sender fewer still; who waits is not read meanwhile, and is told to come again after a while.

import { Unavailable } from '../errors.ts';
import type { RequestContext } from './request-context.ts';

const atOnce = 4;
const ofOneSender = 2;
const patience = 6000;
/** How long a body may take to come in and to be looked at. */
const uploadSeconds = 120;

interface Waiting {
  readonly sender: string;
  begin(): void;
}

export class Uploads {
  #running: string[] = [];
  #waiting: Waiting[] = [];

  constructor(
    /** Bytes of a body. */
    readonly most: number,
  ) {}

  /** Does the work when there is room, and until then reads nothing; `sender` tells one from another. */
  async admit<Result>(context: RequestContext, sender: string, work: () => Promise<Result>): Promise<Result> {
    return this.during(sender, () => {
      context.admitUpload(this.most, uploadSeconds);
      return work();
    });
  }

  async during<Result>(sender: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#hasRoom(sender)) this.#running.push(sender);
    else await this.#turn(sender);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(sender), 1);
      const next = this.#waiting.find((waiting) => this.#hasRoom(waiting.sender));
      next?.begin();
    }
  }

  #hasRoom(sender: string): boolean {
    const own = this.#running.filter((each) => each === sender);
    return this.#running.length < atOnce && own.length < ofOneSender;
  }

  #turn(sender: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
      };
      const waiting: Waiting = {
        sender,
        begin: () => {
          leave();
          this.#running.push(sender);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(new Unavailable());
      }, patience);
      this.#waiting.push(waiting);
    });
  }
}
