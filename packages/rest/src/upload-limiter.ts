// Limits how many large bodies are received at the same time, in total and from each sender, and how many are in memory.
// Those that are being received are in temporary files, so that slow senders do not keep others from uploading.

import { Refused, TooManyRequests } from '../../common/src/errors.ts';
import { waitToRefuse } from '../../common/src/refusal-pace.ts';
import { QueuePerPerson, RequestQueue } from '../../common/src/request-queue.ts';
import type { SharedMemory } from '../../common/src/shared-memory.ts';
import { withResolvers } from '../../common/src/with-resolvers.ts';
import { maxBodyBytes } from './parsers.ts';
import type { StoredBody } from './read-body.ts';
import type { RequestContext } from './request-context.ts';
import { Throttle } from './throttling.ts';

const maxReceived = 64;
const maxReceivedPerSender = 4;
/** The last places are kept for senders who have none. */
const keptPlaces = 16;
const maxInMemory = 4;

/** A ZIP of a person's own data is received and read for as long as such a download may take. */
const archiveSeconds = 1800;
const maxArchives = 4;
const daySeconds = 24 * 3600;
/** As many as one person may send in a day, of the maximum size. */
const archivesPerDay = 5;
/** A small one counts as so much of the maximum: it takes time, too. */
const minShare = 1 / 20;

const pace = { timeoutMs: 120_000, graceMs: 5000, minBytesPerSecond: 16_000, maxBytesInMemory: maxBodyBytes };

export class UploadLimiter {
  /** The senders of the bodies that are being received or processed. */
  #senders: string[] = [];
  #inMemory = new RequestQueue({ maxRunning: maxInMemory, maxWaiting: maxReceived });
  #ownInMemory = new QueuePerPerson<string>({ maxRunning: 1, maxWaiting: maxReceivedPerSender });
  /** Bytes in a day: files that were replaced or deleted stay on the disk for up to two days. */
  #budget: Throttle | undefined;
  #archiveBudget: Throttle;
  /** The senders of archives that are being received or processed, and what breaks that off. */
  readonly #archives = new Map<string, () => void>();

  constructor(
    /** The maximum size of a body. */
    readonly maxBytes: number,
    /** The limit for one sender in a day. */
    bytesPerDay: number | undefined,
    /** The maximum size of an archive. */
    readonly maxArchiveBytes: number,
    memory: SharedMemory,
  ) {
    this.#budget = bytesPerDay ? new Throttle('upload', bytesPerDay, memory, daySeconds) : undefined;
    this.#archiveBudget = new Throttle('archive', archivesPerDay * maxArchiveBytes, memory, daySeconds);
  }

  /** For bytes that come otherwise than as a body: counts them, or throws. */
  spend(sender: string, bytes: number): void {
    this.#budget?.admit(sender, bytes);
  }

  /**
   * Takes room for the body of a request, before it is read. `sender` identifies the viewer. The room is given back when
   * it is disposed of: the response is ready then.
   */
  takeRoom(
    context: RequestContext,
    sender: string,
    { acceptsArchive }: { readonly acceptsArchive?: boolean },
  ): Promise<AsyncDisposable | undefined> {
    return acceptsArchive ? this.#takeArchiveRoom(context, sender) : this.#takeUploadRoom(context, sender);
  }

  async #takeUploadRoom(context: RequestContext, sender: string): Promise<AsyncDisposable | undefined> {
    const announced = Number(context.headers.get('Content-Length') ?? this.maxBytes);
    // A body that is not large is never in a file.
    if (announced <= maxBodyBytes) {
      this.#budget?.admit(sender, announced);
      context.allowUpload(this.maxBytes, { ...pace, takePlace: async () => {} });
      return undefined;
    }
    if (!this.#hasRoom(sender)) {
      await waitToRefuse();
      throw new Refused('too many large bodies are being received');
    }
    this.#budget?.admit(sender, Math.min(announced, this.maxBytes));
    this.#senders.push(sender);
    const end = withResolvers<void>();
    const takePlace = () => context.lifetime.run(() => this.#takePlaceInMemory(sender, end.promise));
    context.allowUpload(this.maxBytes, { ...pace, takePlace });
    return {
      [Symbol.asyncDispose]: async () => {
        end.resolve();
        this.#senders.splice(this.#senders.indexOf(sender), 1);
      },
    };
  }

  /** The same for a form with one file that may be as large as all files of an account, and that stays on the disk. */
  async #takeArchiveRoom(context: RequestContext, sender: string): Promise<AsyncDisposable> {
    if (this.#archives.has(sender)) throw new TooManyRequests('import', 1, 10, archiveSeconds);
    if (this.#archives.size >= maxArchives) throw new Refused('too many archives are being received');
    const { maxArchiveBytes } = this;
    const announced = context.headers.get('Content-Length');
    const size = Math.max(Number(announced ?? 0), minShare * maxArchiveBytes);
    this.#archiveBudget.admit(sender, Math.min(size, maxArchiveBytes));
    this.#archives.set(sender, () => context.lifetime.end(new Refused('the server stops')));
    let stored: StoredBody | undefined;
    context.allowUpload(maxArchiveBytes, {
      ...pace,
      timeoutMs: archiveSeconds * 1000,
      takePlace: async () => {},
      keep: (body) => {
        stored = body;
        if (announced === null) this.#archiveBudget.admit(sender, body.size);
      },
    });
    return {
      [Symbol.asyncDispose]: async () => {
        this.#archives.delete(sender);
        await stored?.close();
      },
    };
  }

  /** Breaks off all archives: a server that is stopped does not wait for them. */
  end(): void {
    for (const stop of this.#archives.values()) stop();
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
