// Limits how many large bodies are received at the same time, in total and from each sender, and how many are in memory.
// Those that are being received are in temporary files, so that slow senders do not keep others from uploading.

import { Refused } from '../errors.ts';
import { QueuePerPerson } from '../queue-per-person.ts';
import { waitToRefuse } from '../refusal-pace.ts';
import { RequestQueue } from '../request-queue.ts';
import { maxBodyBytes } from './parsers.ts';
import type { RequestContext } from './request-context.ts';
import { UploadBudget } from './upload-budget.ts';

const maxReceived = 64;
const maxReceivedPerSender = 4;
/** The last places are kept for senders who have none. */
const keptPlaces = 16;
const maxInMemory = 4;

const pace = { timeoutMs: 120_000, graceMs: 5000, minBytesPerSecond: 16_000, maxBytesInMemory: maxBodyBytes };

export class UploadLimiter {
  /** The senders of the bodies that are being received or processed. */
  #senders: string[] = [];
  #inMemory = new RequestQueue({ maxRunning: maxInMemory, maxWaiting: maxReceived });
  #ownInMemory = new QueuePerPerson<string>({ maxRunning: 1, maxWaiting: maxReceivedPerSender });
  #budget: UploadBudget;

  constructor(
    /** The maximum size of a body. */
    readonly maxBytes: number,
    /** The limit for one sender in a day. */
    bytesPerDay = Number.POSITIVE_INFINITY,
  ) {
    this.#budget = new UploadBudget(bytesPerDay);
  }

  /** Runs the work, which reads the body. `sender` identifies the viewer. */
  async acceptUpload<Result>(
    context: RequestContext,
    sender: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const announced = Number(context.headers.get('Content-Length') ?? this.maxBytes);
    // A body that is not large is never in a file.
    if (announced <= maxBodyBytes) {
      this.#budget.spend(sender, announced);
      context.allowUpload(this.maxBytes, { ...pace, takePlace: async () => {} });
      return work();
    }
    if (!this.#hasRoom(sender)) {
      await waitToRefuse();
      throw new Refused('too many large bodies are being received');
    }
    this.#budget.spend(sender, Math.min(announced, this.maxBytes));
    this.#senders.push(sender);
    const end = Promise.withResolvers<void>();
    const takePlace = () => context.lifetime.run(() => this.#takePlaceInMemory(sender, end.promise));
    try {
      context.allowUpload(this.maxBytes, { ...pace, takePlace });
      return await work();
    } finally {
      end.resolve();
      this.#senders.splice(this.#senders.indexOf(sender), 1);
    }
  }

  /** Resolves when the body may be in memory, until `end`. */
  #takePlaceInMemory(sender: string, end: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const hold = () => {
        resolve();
        return end;
      };
      this.#ownInMemory.run(sender, () => this.#inMemory.run(hold)).catch(reject);
    });
  }

  #hasRoom(sender: string): boolean {
    const own = this.#senders.filter((other) => other === sender).length;
    const places = own === 0 ? maxReceived : maxReceived - keptPlaces;
    return this.#senders.length < places && own < maxReceivedPerSender;
  }
}
