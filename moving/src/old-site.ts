// Reads the API of the old site: one request at a time, not faster than allowed, and again while the site is busy or
// cannot be reached. All requests go to the given address: of the site's own links only the query is used, so that no
// other host ever gets the credentials.

import { errorCode, errorMessage, OperatorError } from '../../packages/common/src/errors.ts';

interface OldSiteOptions {
  readonly headers: Headers;
  readonly requestsPerSecond: number;
  /** Called when the next request has to wait longer than the pace asks for. */
  readonly reportWait?: (seconds: number, reason: string) => void;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** The first wait after a failure; each further one is twice as long. */
  readonly firstWaitMs?: number;
}

const defaultTimeoutMs = 60_000;
const maxWaitMs = 60_000;
/** A site that throttles by the day says so. */
const maxRequestedWaitMs = 86_400_000;
/** About twelve hours: a night without network. */
const maxTriesIfBusy = 720;
/** For what does not pass by waiting, such as a wrong host name or a bug of the old site. */
const maxTriesIfBroken = 4;

/** A response as it is. */
export interface OldResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** The request can be repeated later. */
class Busy extends Error {
  constructor(
    message: string,
    readonly tries: number,
    readonly waitMs?: number,
  ) {
    super(message);
  }
}

/** The old site does not understand the request. */
export class Refusal extends OperatorError {}

export class OldSite {
  readonly #root: URL;
  readonly #options: OldSiteOptions;
  #nextRequestAt = 0;
  #hasAnswered = false;
  /** The time on the old site's clock when it first answered. */
  answeredAt: Date | undefined;
  requests = 0;

  constructor(address: string, options: OldSiteOptions) {
    const root = URL.parse(address.endsWith('/') ? address : `${address}/`);
    if (!root || !/^https?:$/.test(root.protocol) || root.search || root.hash)
      throw new OperatorError(
        `${JSON.stringify(address)} is not the address of an API, such as https://old.example.org/api/v1/.`,
      );
    if (root.username || root.password)
      throw new OperatorError('An address must not contain a password: give it with --user.');
    this.#root = root;
    this.#options = options;
  }

  get address(): string {
    return this.#root.href;
  }

  get origin(): string {
    return this.#root.origin;
  }

  /** The JSON at a path below the root; undefined if there is none (404). */
  async read(path: string): Promise<unknown> {
    const url = new URL(path, this.#root).href;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#keepPace();
        return await this.#request(url);
      } catch (error) {
        if (!(error instanceof Busy)) throw error;
        if (attempt >= (this.#hasAnswered ? error.tries : maxTriesIfBroken))
          throw new OperatorError(error.message);
        const waitMs =
          error.waitMs ?? Math.min(maxWaitMs, (this.#options.firstWaitMs ?? 500) * 2 ** (attempt - 1));
        this.#options.reportWait?.(Math.ceil(waitMs / 1000), error.message);
        await Bun.sleep(waitMs);
      }
    }
  }

  async #keepPace(): Promise<void> {
    const now = performance.now();
    const startsAt = Math.max(now, this.#nextRequestAt);
    this.#nextRequestAt = startsAt + 1000 / this.#options.requestsPerSecond;
    if (startsAt > now) await Bun.sleep(startsAt - now);
  }

  async #request(url: string): Promise<unknown> {
    this.requests++;
    const { timeoutMs = defaultTimeoutMs } = this.#options;
    let response: OldResponse;
    try {
      response = await this.#fetch(url);
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      const reason = isTimeout
        ? `no complete response within ${timeoutMs / 1000} seconds`
        : (errorCode(error) ?? errorMessage(error));
      throw new Busy(`${url} cannot be read: ${reason}.`, maxTriesIfBusy);
    }
    const isFound = requireUsable(url, response);
    const data = readJson(url, response);
    this.#hasAnswered = true;
    this.answeredAt ??= readDate(response.headers.get('Date')) ?? new Date();
    return isFound ? data : undefined;
  }

  /** The response to one request without any wait, whatever its status. Rejects if there is no complete response. */
  ask(path: string): Promise<OldResponse> {
    return this.#fetch(new URL(path, this.#root).href);
  }

  async #fetch(url: string): Promise<OldResponse> {
    const { headers, timeoutMs = defaultTimeoutMs } = this.#options;
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    return {
      status: response.status,
      headers: response.headers,
      body: await this.#readBody(url, response),
    };
  }

  async #readBody(url: string, { body }: Response): Promise<Uint8Array> {
    const { maxBytes = 64 * 1024 * 1024 } = this.#options;
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body ?? []) {
      length += chunk.length;
      if (length > maxBytes)
        throw new OperatorError(`${url} sends more than ${Math.floor(maxBytes / 1024 / 1024)} MB.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

/** Whether it was found. Throws for every other response that is no record and no listing. */
function requireUsable(url: string, { status, headers }: OldResponse): boolean {
  if (status === 200) return true;
  if (status === 404 || status === 410) return false;
  const problem = `${url} answers ${status}`;
  const waitMs = readRetryAfter(headers.get('Retry-After'));
  if ([429, 502, 503, 504].includes(status)) throw new Busy(`${problem}.`, maxTriesIfBusy, waitMs);
  if (status >= 500) throw new Busy(`${problem}.`, maxTriesIfBroken, waitMs);
  if (status >= 300 && status < 400)
    throw new OperatorError(
      `${problem}, a redirect to ${headers.get('Location') ?? 'nowhere'}: give the address at which the API is.`,
    );
  if (status === 401 || status === 403)
    throw new OperatorError(`${problem}: give --token, --user or --header that may read there.`);
  throw new Refusal(`${problem}, where a record or a listing was expected.`);
}

/** A 404 must be JSON too: the page of a proxy does not say that a record has gone. */
export function readJson(url: string, { headers, body }: OldResponse): unknown {
  const type = headers.get('Content-Type') ?? 'nothing known';
  if (!/\bjson\b/i.test(type)) throw new OperatorError(`${url} sends ${type}, not JSON.`);
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new OperatorError(`${url} sends something that is not valid JSON.`);
  }
}

/** Whole numbers that JavaScript would round become bigints. */
function parseExactly(text: string): unknown {
  // Looking at each value takes longer.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value);
    return isRounded && /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source ?? '') : value;
  });
}

/** Seconds, or the time from which on the client may ask again. */
export function readRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const at = readDate(text);
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : at && at.getTime() - Date.now();
  return waitMs === undefined ? undefined : Math.min(maxRequestedWaitMs, Math.max(0, waitMs));
}

function readDate(text: string | null): Date | undefined {
  const date = text === null ? undefined : new Date(text);
  return date && !Number.isNaN(date.getTime()) ? date : undefined;
}
