import { reasonOf } from '#common/errors.ts';
import type { Log } from '#common/log.ts';
import { readIdentity } from '../../core/server-secrets.ts';
import {
  type CreateSearchEngine,
  type EnginePosition,
  type EngineQuery,
  NoAnswer,
  type SearchEngine,
} from '../../projects/searching/search-engine.ts';
import { OpenSearchIndex, RefusedRequest } from './opensearch.ts';

/** How long an engine that fails is not asked again: at first, and at most. Each failure doubles it. */
const firstPauseMs = 250;
const maxPauseMs = 8000;

export const createEngine: CreateSearchEngine = async (address, database, log) =>
  new PausingEngine(address, await readIdentity(database), log);

/** The engine as searches use it: if it fails, that is logged once, and the database searches. */
export class PausingEngine implements SearchEngine {
  readonly #index: OpenSearchIndex;
  #pausedUntil = 0;
  /** 0 while it does not fail. */
  #pauseMs = 0;

  constructor(
    address: string,
    private readonly gallery: string,
    private readonly log: Pick<Log, 'info' | 'error'> | undefined,
  ) {
    this.#index = new OpenSearchIndex(address);
  }

  position(): Promise<EnginePosition> {
    return this.#ask(async () => {
      const progress = await this.#index.readProgress();
      if (!progress || progress.project !== null)
        throw new Error('the index is not filled yet: see vitrine changes index');
      if (progress.gallery !== this.gallery) throw new Error('the index is filled by another gallery');
      return progress;
    });
  }

  /** A single search that is too much for the engine does not turn it off for all: whether it responds at all, `position` finds out. */
  find(query: EngineQuery): Promise<number[]> {
    const isTooMuch = (error: unknown) =>
      error instanceof RefusedRequest ? error.status === 400 : error instanceof DOMException;
    return this.#ask(() => this.#index.find(query), isTooMuch);
  }

  async #ask<Result>(
    ask: () => Promise<Result>,
    isTooMuch: (error: unknown) => boolean = () => false,
  ): Promise<Result> {
    if (performance.now() < this.#pausedUntil) throw new NoAnswer();
    try {
      const result = await ask();
      if (this.#pauseMs > 0) this.log?.info('The search engine is used again.');
      this.#pauseMs = 0;
      return result;
    } catch (error) {
      if (isTooMuch(error)) throw new NoAnswer();
      if (this.#pauseMs === 0)
        this.log?.error(
          '-',
          `The search engine cannot be used, and the database searches: ${reasonOf(error)}.`,
        );
      this.#pauseMs = Math.min(maxPauseMs, Math.max(firstPauseMs, this.#pauseMs * 2));
      this.#pausedUntil = performance.now() + this.#pauseMs;
      throw new NoAnswer();
    }
  }
}
