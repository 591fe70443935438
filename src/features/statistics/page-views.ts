// Counts views of projects' pages in memory, by content type. Each process saves them every minute: a crash loses the
// counts of a minute at most.

import type { Database } from '#sql';
import { StoredCountChanges } from '../../core/changes/transact.ts';
import type { ContentType } from '../../core/content-types.ts';
import { now } from '../../core/instant.ts';
import type { CreateWork } from '../../projects/background-work.ts';
import { countActivity } from './weekly-counts.ts';

const saveMs = 60_000;

const programs = /bot|crawl|spider|preview|curl|wget|python|monitor/i;

class PageViews {
  #counts = new Map<ContentType, number>();

  constructor(private readonly database: Database) {}

  /** Programs that say what they are do not count. */
  add(type: ContentType, headers: Headers): void {
    if (!programs.test(headers.get('User-Agent') ?? ''))
      this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
  }

  /** Counts that cannot be saved now are saved the next time. */
  async save(): Promise<void> {
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    try {
      await this.database.transaction(async (transaction) => {
        const changes = { at: now(), counts: new StoredCountChanges() };
        for (const [type, count] of counts) countActivity(changes, 'viewed', type, count);
        await transaction.appendChanges([], changes.counts.list());
      });
    } catch (error) {
      for (const [type, count] of counts) this.#counts.set(type, (this.#counts.get(type) ?? 0) + count);
      throw error;
    }
  }
}

const known = new WeakMap<Database, PageViews>();

/** The views that were counted in this process. */
export function pageViewsOf(database: Database): PageViews {
  const views = known.get(database) ?? new PageViews(database);
  known.set(database, views);
  return views;
}

export const createSaving: CreateWork = ({ database, logError }) => ({
  startInEachProcess() {
    const save = () => pageViewsOf(database).save().catch(logError);
    const timer = setInterval(save, saveMs);
    return async () => {
      clearInterval(timer);
      await save();
    };
  },
});
