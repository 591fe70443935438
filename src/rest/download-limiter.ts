// Limits how many long downloads run at the same time: one for each viewer, and a few in total.

import { TooManyRequests, Unavailable } from '../errors.ts';
import { runOutsideRequests } from '../request-lifetime.ts';

const maxRunning = 4;
/** A download that nobody has begun to read by then gives up its place, as after a HEAD request. */
const openTimeoutMs = 5000;

interface Place {
  readonly timer: Timer;
  /** Somebody reads the stream. */
  readonly isOpen: boolean;
}

/** A client that reads slowly does not keep its place for longer. */
const maxSeconds = 1800;

export class DownloadLimiter {
  #running = new Map<string, Place>();

  /** Takes a place for the viewer, or throws. Returns what opens the stream, whose end gives the place back. */
  start(viewer: string, lines: AsyncGenerator<string>): () => ReadableStream {
    const own = this.#running.get(viewer);
    if (own?.isOpen) throw new TooManyRequests('download', 1, 10, maxSeconds);
    if (!own && this.#running.size >= maxRunning) throw new Unavailable('too many downloads are running');
    this.#takePlace(viewer, false, openTimeoutMs);
    return () => this.#openStream(viewer, lines);
  }

  /** Replaces the viewer's place if there is one. */
  #takePlace(viewer: string, isOpen: boolean, timeoutMs: number, onTimeout?: () => void): void {
    clearTimeout(this.#running.get(viewer)?.timer);
    const timer = setTimeout(() => {
      this.#release(viewer);
      onTimeout?.();
    }, timeoutMs);
    timer.unref();
    this.#running.set(viewer, { timer, isOpen });
  }

  #release(viewer: string): void {
    clearTimeout(this.#running.get(viewer)?.timer);
    this.#running.delete(viewer);
  }

  /** Generates lines only as fast as the client reads them. */
  #openStream(viewer: string, lines: AsyncGenerator<string>): ReadableStream {
    const encoder = new TextEncoder();
    return new ReadableStream({
      start: (controller) => {
        this.#takePlace(viewer, true, maxSeconds * 1000, () =>
          controller.error(new Error('The download took too long.')),
        );
      },
      pull: async (controller) => {
        try {
          // A download takes longer than a request may.
          const { done, value } = await runOutsideRequests(() => lines.next());
          if (!done) return controller.enqueue(encoder.encode(value));
          this.#release(viewer);
          controller.close();
        } catch (error) {
          this.#release(viewer);
          throw error;
        }
      },
      cancel: async () => {
        this.#release(viewer);
        await lines.return(undefined);
      },
    });
  }
}
