// Limits how many long downloads run at the same time: one for each viewer, and a few in total.

import { Refused, TooManyRequests } from '../../common/src/errors.ts';
import { runOutsideRequests } from '../../common/src/request-lifetime.ts';
import { timeLimits } from '../../common/src/time-limits.ts';

const maxRunning = 4;
/** A client that reads slowly does not keep its place for longer. */
const maxSeconds = 1800;
/** A client may let the download wait for this long, and for another second with each of so many bytes. */
const graceMs = 10_000;
const minBytesPerSecond = 16_000;

/** The place of one download. */
interface Place {
  readonly viewer: string;
  /** Another download of the viewer cannot replace it. */
  isTaken: boolean;
  timer?: Timer;
  /** Breaks the connection. */
  end?(reason: string): void;
}

type Chunk = string | Uint8Array;
type Chunks = AsyncGenerator<Chunk>;

export class DownloadLimiter {
  #running = new Map<string, Place>();
  #hasEnded = false;

  /**
   * Takes a place for the viewer and generates the first chunk, or throws. Returns what opens the stream, whose end gives
   * the place back.
   */
  async start(viewer: string, chunks: Chunks): Promise<() => ReadableStream> {
    const place = this.#takePlace(viewer);
    try {
      const first = await chunks.next();
      place.isTaken = false;
      place.timer = setTimeout(() => this.#release(place), timeLimits.unreadDownload).unref();
      return () => this.#openStream(place, first, chunks);
    } catch (error) {
      this.#release(place);
      throw error;
    }
  }

  /** Breaks all downloads, and begins no others: a server that is stopped does not wait for them. */
  end(): void {
    this.#hasEnded = true;
    for (const place of this.#running.values()) place.end?.('the server stops');
  }

  #takePlace(viewer: string): Place {
    if (this.#hasEnded) throw new Refused('the server stops');
    const own = this.#running.get(viewer);
    if (own?.isTaken) throw new TooManyRequests('download', 1, 10, maxSeconds);
    if (!own && this.#running.size >= maxRunning) throw new Refused('too many downloads are running');
    const place = { viewer, isTaken: true };
    this.#running.set(viewer, place);
    return place;
  }

  #release(place: Place): void {
    clearTimeout(place.timer);
    if (this.#running.get(place.viewer) === place) this.#running.delete(place.viewer);
  }

  /** Generates chunks only as fast as the client reads them. */
  #openStream(place: Place, first: IteratorResult<Chunk>, chunks: Chunks): ReadableStream {
    const encoder = new TextEncoder();
    const endsAt = performance.now() + maxSeconds * 1000;
    let allowanceMs = graceMs;
    let waitsSince = performance.now();
    let next: IteratorResult<Chunk> | undefined = first;
    const waitForClient = (bytes: number) => {
      allowanceMs += (bytes / minBytesPerSecond) * 1000;
      waitsSince = performance.now();
      const giveUp = () => place.end?.('the client reads too slowly');
      place.timer = setTimeout(giveUp, Math.min(allowanceMs, endsAt - waitsSince)).unref();
    };
    return new ReadableStream({
      start: (controller) => {
        clearTimeout(place.timer);
        place.isTaken = true;
        this.#running.set(place.viewer, place);
        place.end = (reason) => {
          this.#release(place);
          controller.error(new Refused(reason));
          chunks.return(undefined);
        };
        waitForClient(0);
      },
      pull: async (controller) => {
        clearTimeout(place.timer);
        allowanceMs -= performance.now() - waitsSince;
        try {
          // A download takes longer than a request may.
          const { done, value } = next ?? (await runOutsideRequests(() => chunks.next()));
          next = undefined;
          if (done) {
            this.#release(place);
            controller.close();
          } else {
            const bytes = typeof value === 'string' ? encoder.encode(value) : value;
            controller.enqueue(bytes);
            waitForClient(bytes.length);
          }
        } catch (error) {
          this.#release(place);
          throw error;
        }
      },
      cancel: async () => {
        this.#release(place);
        await chunks.return(undefined);
      },
    });
  }
}
