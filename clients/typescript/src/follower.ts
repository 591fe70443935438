// Follows the changes: by a stream, or by requests that wait where streams do not get through.

import type { ChangeFilters } from './changes.ts';
import type { Connection } from './connection.ts';
import { ConnectionLost, createError, GalleryError } from './errors.ts';
import { readEvents } from './event-stream.ts';
import type { Change, Changes } from './types.ts';
import { wait } from './wait.ts';

/** A stream begins at once, unless a proxy keeps it back. */
const maxStartMs = 5000;
const waitSeconds = 30;
/** With the time for the response. */
const maxWaitMs = 60_000;
/** How long requests replace the stream before it is tried again. */
const streamPauseMs = 300_000;
const maxBackoffSeconds = 30;

interface Settings {
  readonly since: number;
  readonly filters: ChangeFilters;
  readonly signal: AbortSignal | undefined;
}

export class Follower {
  #last: number;
  #failures = 0;
  /** Until then, requests replace the stream. */
  #streamsFrom = 0;
  /** The time before the stream is opened again. The server sends another. */
  #retryMs = 3000;

  constructor(
    private readonly connection: Connection,
    private readonly settings: Settings,
  ) {
    this.#last = settings.since;
  }

  async *follow(): AsyncGenerator<Change, never, undefined> {
    const { signal } = this.settings;
    for (;;) {
      const usesStream = Date.now() >= this.#streamsFrom;
      let seconds: number;
      try {
        seconds = yield* usesStream ? this.#stream() : this.#ask();
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof GalleryError) || isFinal(error, usesStream)) throw error;
        // One of the two may work.
        this.#streamsFrom = usesStream ? Date.now() + streamPauseMs : 0;
        seconds = error.retryAfter ?? this.#backoff();
      }
      await wait(seconds, signal);
    }
  }

  /** Returns the number of seconds after which to continue. */
  async *#stream(): AsyncGenerator<Change, number, undefined> {
    const { filters: query } = this.settings;
    const limit = this.#limitTime(maxStartMs);
    let hasBegun = false;
    try {
      const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(this.#last) };
      const { signal } = limit;
      const response = await this.connection.open({ path: 'changes/stream/', query, headers, signal });
      for await (const { id, data, retry } of readEvents(await requireStream(response))) {
        limit.lift();
        hasBegun = true;
        this.#failures = 0;
        this.#retryMs = retry ?? this.#retryMs;
        if (data !== undefined) yield* this.#takeNew([parseChange(data)]);
        this.#last = Math.max(this.#last, Number(id) || 0);
      }
    } finally {
      limit.close();
    }
    if (!hasBegun) throw new ConnectionLost('The stream did not begin.');
    return this.#retryMs / 1000;
  }

  async *#ask(): AsyncGenerator<Change, number, undefined> {
    const limit = this.#limitTime(maxWaitMs);
    const startedAt = Date.now();
    try {
      const query = { ...this.settings.filters, since: this.#last, wait: waitSeconds };
      const { result } = await this.connection.request<Changes>({
        path: 'changes/',
        query,
        signal: limit.signal,
      });
      this.#failures = 0;
      yield* this.#takeNew(result.results);
      this.#last = Math.max(this.#last, result.last);
      // A server that is about to stop answers at once.
      const isEarly = result.results.length === 0 && !result.next && Date.now() - startedAt < 1000;
      return isEarly ? 1 : 0;
    } finally {
      limit.close();
    }
  }

  /** After a lost connection, the server may send a change for the second time. */
  *#takeNew(changes: readonly Change[]): Generator<Change, void, undefined> {
    for (const change of changes) {
      if (change.sequence <= this.#last) continue;
      this.#last = change.sequence;
      yield change;
    }
  }

  #backoff(): number {
    const seconds = Math.min(2 ** this.#failures++, maxBackoffSeconds);
    return seconds * (0.5 + Math.random() / 2);
  }

  #limitTime(ms: number) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new ConnectionLost('It took too long.')), ms);
    const { signal } = this.settings;
    const lift = () => clearTimeout(timer);
    return {
      signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal,
      lift,
      close() {
        lift();
        controller.abort();
      },
    };
  }
}

async function requireStream(response: Response): Promise<ReadableStream<Uint8Array>> {
  if (!response.ok) throw createError(response.status, response.headers, await response.text());
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) throw new ConnectionLost('The response is no stream.');
  return response.body;
}

function parseChange(data: string): Change {
  try {
    return JSON.parse(data) as Change;
  } catch (cause) {
    throw new GalleryError({ status: 200, detail: 'An event is not JSON.' }, { cause });
  }
}

/** Asking again would not help. What only a stream refuses, such as 404 of an older server, a request may do. */
function isFinal({ status }: GalleryError, usesStream: boolean): boolean {
  if (status === 408 || status === 429) return false;
  return usesStream ? [400, 401, 403, 410].includes(status) : status >= 200 && status < 500;
}
