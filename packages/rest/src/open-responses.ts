// Responses that stay open: streams of server-sent events, and requests that wait for something. Limits how many there are,
// keeps the connections of idle streams open, and drops streams that nobody reads.

import { Refused, TooManyRequests } from '../../common/src/errors.ts';
import { inSlices } from '../../common/src/event-loop.ts';
import { currentLifetime, runOutsideRequests } from '../../common/src/request-lifetime.ts';
import type { SharedLimits } from '../../common/src/shared-limits.ts';
import { withResolvers } from '../../common/src/with-resolvers.ts';

/** Of a process: each takes about 20 kB. */
const maxOpen = 10_000;
const retrySeconds = 10;
const tickMs = 1000;
const heartbeatMs = 15_000;
/** After so many ticks, servers on other machines are told of all again. */
const renewalTicks = 10;
/** More than a heartbeat: the connection stays open for this long without traffic. */
const idleSeconds = 40;
/** After waiting, to read and to send. */
const responseSeconds = 5;
/** So much waits for a client; then the source keeps the rest. */
const maxUnreadBytes = 32_768;
/** A client that reads nothing for this long is dropped. */
const maxUnreadMs = 30_000;

/** Where the text of a stream comes from. */
export interface StreamSource {
  begin(stream: EventStream): void;
  /** It can write again, or still. */
  resume(): void;
  /** A text that clients ignore. */
  heartbeat(): string;
  /** The client is gone, or gets no more. */
  close(): void;
}

interface OpenResponse {
  readonly owner: string;
  /** Ends it before its time. */
  end(): void;
}

/** One piece of a stream. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const strategy = { highWaterMark: maxUnreadBytes, size: (chunk?: Bytes) => chunk?.length ?? 0 };

export class EventStream implements UnderlyingSource<Bytes>, OpenResponse {
  #controller: ReadableStreamController<Bytes> | undefined;
  #written = 0;
  #writtenAt = performance.now();
  /** How much the client had read at the last tick, and since when it is as much. */
  #read = 0;
  #readAt = performance.now();

  constructor(
    private readonly responses: OpenResponses,
    readonly owner: string,
    private readonly source: StreamSource,
  ) {}

  start(controller: ReadableStreamController<Bytes>): void {
    this.#controller = controller;
    this.source.begin(this);
  }

  pull(): void {
    this.source.resume();
  }

  cancel(): void {
    this.#controller = undefined;
    this.#leave();
  }

  get hasRoom(): boolean {
    return this.#unreadBytes < maxUnreadBytes;
  }

  get #unreadBytes(): number {
    return maxUnreadBytes - (this.#controller?.desiredSize ?? 0);
  }

  write(chunk: string | Bytes): void {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    this.#written += bytes.length;
    this.#writtenAt = performance.now();
    this.#controller?.enqueue(bytes);
  }

  end(): void {
    this.#controller?.close();
    this.#controller = undefined;
    this.#leave();
  }

  tick(now: number): void {
    const unread = this.#unreadBytes;
    const read = this.#written - unread;
    if (unread === 0 || read > this.#read) [this.#read, this.#readAt] = [read, now];
    if (now - this.#readAt > maxUnreadMs) this.#drop();
    else if (unread === 0 && now - this.#writtenAt > heartbeatMs) this.write(this.source.heartbeat());
  }

  /** Breaks the connection: an ordinary end would wait behind what is not read. */
  #drop(): void {
    this.#controller?.error(new Refused('the client does not read'));
    this.cancel();
  }

  #leave(): void {
    this.responses.remove(this);
    this.source.close();
  }
}

export class OpenResponses {
  readonly #open = new Set<OpenResponse>();
  readonly #counts = new Map<string, number>();
  #timer: Timer | undefined;
  #ticks = 0;
  #hasEnded = false;

  constructor(
    /** The limit for one person, or for one address without an account. */
    private readonly maxPerOwner: number | undefined,
    private readonly sharedLimits?: SharedLimits,
  ) {}

  get count(): number {
    return this.#open.size;
  }

  /** Throws if there are too many already, those of servers on other machines included. */
  async requireRoom(owner: string): Promise<void> {
    if (this.maxPerOwner === undefined || !this.sharedLimits) return;
    const own = this.#counts.get(owner) ?? 0;
    this.#requireFewer(own + (await this.sharedLimits.countOtherStreams(owner, own)));
  }

  #requireFewer(count: number): void {
    if (this.maxPerOwner !== undefined && count >= this.maxPerOwner)
      throw new TooManyRequests('stream', this.maxPerOwner, retrySeconds, retrySeconds);
  }

  /** Throws if there are too many already. Called when the response is sent: one to HEAD opens nothing. */
  openStream(owner: string, source: StreamSource): ReadableStream {
    currentLifetime()?.extend(idleSeconds);
    // The stream continues after the request has ended.
    return runOutsideRequests(() => {
      const stream = new EventStream(this, owner, source);
      this.#add(stream);
      return new ReadableStream(stream, strategy);
    });
  }

  /**
   * Waits until `begin` calls `resolve`, for this long at most, while the client is there; undefined if nothing has come.
   * `begin` returns a function that is called at the end.
   */
  async wait<Result>(
    owner: string,
    seconds: number,
    begin: (resolve: (result: Result | undefined) => void) => () => void,
  ): Promise<Result | undefined> {
    const { promise, resolve } = withResolvers<Result | undefined>();
    const response = { owner, end: () => resolve(undefined) };
    this.#add(response);
    const lifetime = currentLifetime();
    lifetime?.extend(seconds + idleSeconds);
    if (lifetime?.signal.aborted) response.end();
    lifetime?.signal.addEventListener('abort', response.end, { once: true });
    const timer = setTimeout(response.end, seconds * 1000);
    const stop = begin(resolve);
    try {
      return await promise;
    } finally {
      stop();
      clearTimeout(timer);
      this.remove(response);
      // The connection may be used again.
      lifetime?.extend(responseSeconds);
    }
  }

  /** Ends all, and begins no others: a server that is stopped does not wait for them. */
  end(): void {
    this.#hasEnded = true;
    void inSlices([...this.#open], (response) => response.end());
  }

  #add(response: OpenResponse): void {
    if (this.#hasEnded) throw new Refused('the server stops');
    if (this.#open.size >= maxOpen) throw new Refused('too many responses are open');
    const { owner } = response;
    const count = this.#counts.get(owner) ?? 0;
    this.#requireFewer(count);
    this.#counts.set(owner, count + 1);
    this.sharedLimits?.setStreams(owner, count + 1);
    this.#open.add(response);
    this.#timer ??= runOutsideRequests(() => setInterval(() => this.#tick(), tickMs).unref());
  }

  remove(response: OpenResponse): void {
    if (!this.#open.delete(response)) return;
    const { owner } = response;
    const count = this.#counts.get(owner) ?? 0;
    if (count > 1) this.#counts.set(owner, count - 1);
    else this.#counts.delete(owner);
    this.sharedLimits?.setStreams(owner, count - 1);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    const now = performance.now();
    // Those of a process that was killed cease to count.
    if (++this.#ticks % renewalTicks === 0)
      for (const [owner, count] of this.#counts) this.sharedLimits?.setStreams(owner, count);
    void inSlices([...this.#open], (response) => {
      if (response instanceof EventStream) response.tick(now);
    });
  }
}
