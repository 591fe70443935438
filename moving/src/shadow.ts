// Asks the old site what a client has asked, after the client has its answer, and compares. The old site gets addresses
// that are built here from a few known parts, never a client's text as it came, and none of a client's headers.

import { setImmediate } from 'node:timers';
import { errorCode, errorMessage, OperatorError } from '../../packages/common/src/errors.ts';
import { findExcess } from '../../packages/common/src/json.ts';
import { compareResponses, type ResponseDifference } from './compare-responses.ts';
import { type OldResponse, type OldSite, readJson, readRetryAfter } from './old-site.ts';

/** The response that the client got. */
export interface Answer {
  /** With the query. */
  readonly path: string;
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer> | Blob;
}

/** A line of the report. */
export interface ShadowFinding {
  readonly at: string;
  readonly path: string;
  readonly differences: readonly ResponseDifference[];
}

interface ShadowOptions {
  /** The share of the answers that are compared. */
  readonly sample: number;
  readonly requestsPerSecond: number;
  report(finding: ShadowFinding): void;
  /** Milliseconds by a clock that nobody sets. */
  readonly now?: () => number;
}

const maxRunning = 4;
/** Parsing a longer text would hold up other requests. */
export const maxComparedBytes = 2 * 1024 * 1024;
const firstPauseMs = 1000;
const maxPauseMs = 60_000;

/** The addresses and parameters that the old interface has. */
const projectsPath = /^\/api\/v1\/(projects\/(?:[1-9]\d{0,15}\/)?)(?:\?(.{0,500}))?$/s;
const parameterNames = ['content_type', 'ordering', 'page', 'page_size', 'limit', 'offset', 'format'];

export class Shadow {
  /** How many comparisons run. */
  running = 0;
  #nextAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #equal = 0;
  #compared = 0;
  #dropped = 0;
  #unanswered = 0;
  #lastFailure = '';
  #summary = '';
  readonly #now: () => number;

  constructor(
    private readonly site: OldSite,
    private readonly options: ShadowOptions,
  ) {
    this.#now = options.now ?? (() => performance.now());
  }

  /** Returns at once. The answer is not compared if the old site does not have such an address, or is asked enough. */
  compare(answer: Answer): void {
    const path = toOldPath(answer.path);
    if (path === undefined || Math.random() >= this.options.sample) return;
    const now = this.#now();
    const { body } = answer;
    const length = body instanceof Blob ? body.size : body.length;
    if (this.running >= maxRunning || now < this.#nextAt || length > maxComparedBytes) {
      this.#dropped++;
      return;
    }
    this.#nextAt = now + 1000 / this.options.requestsPerSecond;
    this.running++;
    setImmediate(() => this.#ask(path, answer).finally(() => this.running--));
  }

  async #ask(path: string, answer: Answer): Promise<void> {
    try {
      const old = await this.site.ask(path);
      if (old.status === 429 || old.status >= 500) {
        this.#fail(`it answers ${old.status}`, readRetryAfter(old.headers.get('Retry-After')));
        return;
      }
      this.#failures = 0;
      const differences = await findDifferences(answer, old);
      this.#compared++;
      if (differences.length === 0) this.#equal++;
      else this.options.report({ at: new Date().toISOString(), path: answer.path, differences });
    } catch (error) {
      this.#fail(errorCode(error) ?? errorMessage(error));
    }
  }

  /** The old site is left alone for a while, longer and longer. */
  #fail(reason: string, waitMs = Math.min(maxPauseMs, firstPauseMs * 2 ** this.#failures)): void {
    this.#failures = Math.min(this.#failures + 1, 10);
    this.#unanswered++;
    this.#lastFailure = reason;
    this.#nextAt = Math.max(this.#nextAt, this.#now() + waitMs);
  }

  /** A sentence about all answers so far; undefined if it is the same as the last time. */
  summarize(): string | undefined {
    const [equal, compared, dropped, unanswered] = [
      this.#equal,
      this.#compared,
      this.#dropped,
      this.#unanswered,
    ].map((count) => count.toLocaleString('en'));
    const parts = [
      `${equal} of ${compared} answers equal`,
      ...(this.#dropped ? [`${dropped} not compared, to keep the pace`] : []),
      ...(this.#unanswered ? [`${unanswered} not answered by the old site (${this.#lastFailure})`] : []),
    ];
    const summary = `${parts.join('; ')}.`;
    if (summary === this.#summary) return undefined;
    this.#summary = summary;
    return summary;
  }
}

/** The path below the root of the old API; undefined if the old interface does not have the path or a parameter. */
function toOldPath(path: string): string | undefined {
  const [, relativePath, search = ''] = projectsPath.exec(path) ?? [];
  if (relativePath === undefined) return undefined;
  const query = new URLSearchParams(search);
  const names = [...query.keys()];
  const isKnown = names.every(
    (name, index) => parameterNames.includes(name) && names.indexOf(name) === index,
  );
  if (!isKnown) return undefined;
  return search ? `${relativePath}?${query}` : relativePath;
}

/** The bodies of errors are sentences for people: their statuses count. */
async function findDifferences(
  { path, status, body }: Answer,
  old: OldResponse,
): Promise<readonly ResponseDifference[]> {
  if (old.status !== status) return [{ member: 'status', old: old.status, new: status }];
  if (status !== 200) return [];
  const excess = findExcess(old.body);
  if (excess) throw new OperatorError(`${path} cannot be compared: ${excess}`);
  return compareResponses(readJson(path, old), await new Response(body).json());
}
