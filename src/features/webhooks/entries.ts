// The changes that wait for one webhook, in order. Of a project, one is taken only when no earlier one is under way.

import { subjectOf } from '../../core/changes/change-kinds.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { FeedEntry } from '../../projects/changes/change-feed.ts';
import type { AppliedFilters } from '../../projects/reading/tagged-projects.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { decideEvents } from './events.ts';
import type { Event } from './send.ts';
import type { Webhook } from './webhook.ts';

/** What was decided for events that are sent together holds for so long. */
const decisionMs = 100;

export interface WaitingEntry {
  readonly entry: FeedEntry;
  readonly subject: string;
  state: 'waiting' | 'sending' | 'done';
  /** Undefined if the webhook does not get the event. */
  event?: Event | undefined;
  decidedAt?: number;
}

export const isDecided = ({ decidedAt = Number.NEGATIVE_INFINITY }: WaitingEntry): boolean =>
  performance.now() - decidedAt < decisionMs;

export function decideOn(waiting: WaitingEntry, events: ReadonlyMap<number, Event>): void {
  waiting.event = events.get(waiting.entry.sequence);
  waiting.decidedAt = performance.now();
}

/** By their sequence numbers, the events that the webhook gets. */
export async function findEvents(
  { database, serialize }: Pick<WebhookDependencies, 'database' | 'serialize'>,
  webhook: Webhook,
  viewer: Viewer,
  filters: AppliedFilters,
  found: readonly FeedEntry[],
): Promise<Map<number, Event>> {
  const entries = await decideEvents(database, viewer, webhook, filters, found);
  const toEvent = (entry: FeedEntry): Event => {
    const { sequence, kind, action, at } = entry;
    const id = `${webhook.id}-${sequence}`;
    return { id, sequence, type: `${kind}.${action}`, at, data: serialize(entry, webhook.origin) };
  };
  return new Map(entries.map((entry) => [entry.sequence, toEvent(entry)]));
}

export class WaitingEntries {
  #all: WaitingEntry[] = [];
  #isBlocked = false;
  /** The first of the request that fails: it is sent again before all others. */
  #failing: WaitingEntry | undefined;

  get length(): number {
    return this.#all.length;
  }

  /** Whether `take` may find something. */
  get hasNext(): boolean {
    return this.#all.length > 0 && !this.#isBlocked;
  }

  add(entries: readonly FeedEntry[]): void {
    for (const entry of entries)
      this.#all.push({ entry, subject: `${subjectOf(entry.kind)} ${entry.subject}`, state: 'waiting' });
    this.#isBlocked = false;
  }

  take(max: number): WaitingEntry[] {
    const busy = new Set(this.#all.filter(({ state }) => state === 'sending').map(({ subject }) => subject));
    const from = this.#failing ? this.#all.indexOf(this.#failing) : 0;
    const taken: WaitingEntry[] = [];
    for (let index = from; index < this.#all.length && taken.length < max; index++) {
      const waiting = this.#all[index];
      if (waiting?.state !== 'waiting' || busy.has(waiting.subject)) continue;
      waiting.state = 'sending';
      taken.push(waiting);
    }
    this.#isBlocked = taken.length === 0;
    return taken;
  }

  /** Those that are likely to be taken next. */
  peek(max: number): WaitingEntry[] {
    return this.#all.filter(({ state }) => state === 'waiting').slice(0, max);
  }

  /** They wait again, unless they were sent. */
  giveBack(entries: readonly WaitingEntry[]): void {
    for (const taken of entries) if (taken.state === 'sending') taken.state = 'waiting';
    if (entries.length > 0) this.#isBlocked = false;
  }

  /** Returns whether nothing fails now, and the last change up to which all are done, if that is new. */
  finish(entries: readonly WaitingEntry[]): {
    readonly isWell: boolean;
    readonly position: number | undefined;
  } {
    for (const sent of entries) sent.state = 'done';
    const isWell = !this.#failing || entries.includes(this.#failing);
    if (isWell) this.#failing = undefined;
    const open = this.#all.findIndex(({ state }) => state !== 'done');
    const done = this.#all.splice(0, open === -1 ? this.#all.length : open);
    return { isWell, position: done.at(-1)?.entry.sequence };
  }

  /** False if another request has failed before: these are sent again after that one. */
  fail(entries: readonly WaitingEntry[]): boolean {
    if (this.#failing && !entries.includes(this.#failing)) return false;
    this.#failing = entries[0];
    return true;
  }
}
