// The events that wait for one webhook while this process delivers: which is sent next, and when.

import { RequestLifetime } from '../common/request-lifetime.ts';
import { type FeedEntry, listChangesSince } from '../gallery/change-stream/change-feed.ts';
import type { Subscriber, Subscription } from '../gallery/change-stream/subscriptions.ts';
import { type Instant, now } from '../gallery/instant.ts';
import type { AppliedFilters } from '../gallery/projects/reading/tagged-projects.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { decideEvent } from '../gallery/webhooks/events.ts';
import { type DisabledReason, retryPeriod, testRange, type Webhook } from '../gallery/webhooks/webhook.ts';
import type { Redelivery, WebhookDependencies } from './dependencies.ts';
import type { Journal, Progress } from './journal.ts';
import { type Answer, chooseDelay, send, signEvent } from './send.ts';
import type { Sender } from './slots.ts';

/** An answer that comes within this time is quick. */
const quickMs = 1000;
const maxEntries = 200;
const readTimeoutMs = 8000;
/** A webhook whose events are all hidden saves its position from time to time: after a start it is read from there. */
const positionStep = 1000;

interface Event {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly at: Instant;
  readonly data: object;
}

export interface DeliveryContext extends WebhookDependencies {
  readonly journal: Journal;
  readonly signal: AbortSignal;
  wake(queue: WebhookQueue): void;
  /** Reads all webhooks again. */
  reload(): void;
  disable(id: number, reason: DisabledReason): void;
  count(isSuccess: boolean): void;
}

export class WebhookQueue implements Subscriber, Sender {
  readonly progress: Progress;
  isBusy = false;
  #isPaused = false;
  isOver = false;
  /** Until the log is replaced by an older one. */
  isFollowing = true;
  lane: Sender['lane'];
  readonly host: string;
  #entries: FeedEntry[] = [];
  #subscription: Subscription | undefined;
  #timer: Timer | undefined;
  #redeliveries: readonly Redelivery[] = [];
  #isRedeliveryNext = true;
  /** The last change that each redelivery has sent. The rows may have been read before this was saved. */
  #redelivered: ReadonlyMap<number, number> = new Map();
  /** The next changes of the first redelivery. */
  #repeated: FeedEntry[] = [];
  #savedPosition: number;

  constructor(
    private readonly context: DeliveryContext,
    public webhook: Webhook,
    private readonly filters: AppliedFilters,
  ) {
    const { position, failures, failing_since, next_attempt, last_success } = webhook;
    this.progress = { position, failures, failing_since, next_attempt, last_success };
    this.#savedPosition = position;
    this.lane = failures > 0 ? 'slow' : 'new';
    this.host = new URL(webhook.url).host;
  }

  get owner(): number {
    return this.webhook.contributor;
  }

  get hasRoom(): boolean {
    return this.#entries.length < maxEntries;
  }

  /** `viewer` is the owner at this moment; each event is checked again. */
  open(viewer: Viewer): void {
    const { filters, progress } = this;
    const owner = `webhooks ${this.owner}`;
    const request = { viewer, owner, filters, since: progress.position };
    this.#subscription = this.context.subscriptions.subscribe(request, this);
    this.wakeLater();
  }

  deliver(entries: readonly FeedEntry[]): void {
    this.#entries.push(...entries);
    this.context.wake(this);
  }

  /** The log was replaced by an older one. */
  end(): void {
    this.isFollowing = false;
    this.context.reload();
  }

  close(): void {
    this.isOver = true;
    this.#subscription?.close();
    clearTimeout(this.#timer);
  }

  setRedeliveries(rows: readonly Redelivery[]): void {
    this.#redelivered = new Map([...this.#redelivered].filter(([id]) => rows.some((row) => row.id === id)));
    this.#redeliveries = this.#withoutFinished(rows);
  }

  #withoutFinished(rows: readonly Redelivery[]): Redelivery[] {
    const current = rows.map((row) => ({ ...row, after: this.#redelivered.get(row.id) ?? row.after }));
    return current.filter(({ after, last }) => after < last);
  }

  get hasWork(): boolean {
    if (this.isOver || this.isBusy || this.#isPaused) return false;
    return this.#redeliveries.length > 0 || this.#hasDueEvent;
  }

  /** After a failure that is not the receiver's. */
  pause(ms: number): void {
    this.#isPaused = true;
    setTimeout(() => {
      this.#isPaused = false;
      this.wakeLater();
    }, ms).unref();
  }

  get #hasDueEvent(): boolean {
    return this.#entries.length > 0 && this.progress.next_attempt <= now();
  }

  /** Sends one event. */
  async work(): Promise<void> {
    const viewer = await this.context.findViewer(this.webhook.contributor);
    if (!viewer) return this.#disable('account');
    if (this.webhook.events === 'gallery' && !viewer.isModerator) return this.#disable('role');
    const [redelivery] = this.#redeliveries;
    if (redelivery && (this.#isRedeliveryNext || !this.#hasDueEvent)) {
      this.#isRedeliveryNext = false;
      await this.#redeliver(viewer, redelivery);
    } else {
      this.#isRedeliveryNext = true;
      await this.#deliverNext(viewer);
    }
    this.wakeLater();
  }

  /** The number of the last change that was looked at, if it is worth saving. */
  findUnsavedPosition(step = positionStep): number | undefined {
    const { position: reached = 0 } = this.#subscription ?? {};
    if (this.#entries.length > 0 || this.isBusy || reached < this.#savedPosition + step) return undefined;
    this.progress.position = reached;
    this.#savedPosition = reached;
    return reached;
  }

  /** Wakes this queue when the next attempt is due. */
  wakeLater(): void {
    clearTimeout(this.#timer);
    const ms = (this.progress.next_attempt - now()) / 1000;
    // A timer may fire a little early.
    if (ms > 0) this.#timer = setTimeout(() => this.wakeLater(), Math.ceil(ms)).unref();
    this.context.wake(this);
  }

  async #deliverNext(viewer: Viewer): Promise<void> {
    const [entry] = this.#entries;
    if (!entry) return;
    const event = await this.#toEvent(viewer, entry);
    const answer = event && (await this.#attempt(event));
    if (this.isOver && answer?.error !== '') return;
    if (!answer || answer.error === '') this.#advance(entry);
    else if (answer.status === 410) this.#disable('gone');
    else this.#fail(entry, answer.retryAfter);
  }

  #advance({ sequence }: FeedEntry): void {
    const { progress } = this;
    Object.assign(progress, { position: sequence, failures: 0, failing_since: null, next_attempt: 0 });
    this.#entries.shift();
    if (this.#entries.length === 0) this.#subscription?.resume();
    this.#savedPosition = sequence;
    this.context.journal.recordProgress(this.webhook.id, progress);
  }

  #fail(entry: FeedEntry, retryAfter: number): void {
    const { progress, webhook } = this;
    const at = now();
    const since = progress.failing_since ?? at;
    progress.failing_since = since;
    progress.failures++;
    progress.next_attempt = at + chooseDelay(progress.failures, retryAfter);
    if (at < since + retryPeriod) {
      this.context.journal.recordProgress(webhook.id, progress);
      return;
    }
    this.context.journal.recordDeadLetter(webhook.id, entry.sequence, at);
    this.#advance(entry);
    // A test or a redelivery may have arrived.
    if ((progress.last_success ?? 0) < since) this.#disable('failing');
  }

  /** Sends one event of the range, once. */
  async #redeliver(viewer: Viewer, { id, after, last }: Redelivery): Promise<void> {
    if (last === testRange.last) {
      const event = { id: `${this.webhook.id}-test-${id}`, sequence: 0, type: 'test', at: now() };
      await this.#attempt({ ...event, data: { webhook: this.webhook.id } });
      return this.#recordRedelivery(id, last);
    }
    if (this.#repeated.length === 0) {
      const { entries, reached, hasMore } = await this.#readChanges(viewer, after);
      this.#repeated = entries.filter(({ sequence }) => sequence <= last);
      if (this.#repeated.length === 0) return this.#recordRedelivery(id, hasMore ? reached : last);
    }
    const entry = this.#repeated.shift();
    const event = entry && (await this.#toEvent(viewer, entry));
    const answer = event && (await this.#attempt(event));
    this.#recordRedelivery(id, answer && answer.error !== '' ? last : (entry?.sequence ?? last));
  }

  #readChanges(viewer: Viewer, after: number) {
    const read = () => listChangesSince(this.context.database, viewer, after, maxEntries, this.filters);
    return new RequestLifetime(readTimeoutMs).withinTimeLimit(read);
  }

  #recordRedelivery(id: number, reached: number): void {
    this.#redelivered = new Map([...this.#redelivered, [id, reached]]);
    this.#redeliveries = this.#withoutFinished(this.#redeliveries);
    if (this.#redeliveries[0]?.id !== id) this.#repeated = [];
    this.context.journal.recordRedelivery(this.webhook.id, id, reached);
  }

  async #toEvent(viewer: Viewer, found: FeedEntry): Promise<Event | undefined> {
    const { database, serialize } = this.context;
    const entry = await decideEvent(database, viewer, this.webhook, this.filters, found);
    if (!entry) return undefined;
    const { sequence, kind, action, at } = entry;
    const data = serialize(entry, this.webhook.origin);
    return { id: `${this.webhook.id}-${sequence}`, sequence, type: `${kind}.${action}`, at, data };
  }

  async #attempt({ id, sequence, type, at: eventAt, data }: Event): Promise<Answer> {
    const { context, webhook } = this;
    const at = now();
    const body = JSON.stringify({ type, timestamp: new Date(eventAt / 1000).toISOString(), data });
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Vitrine',
      ...signEvent(webhook, id, at, body),
    };
    const startedAt = performance.now();
    const request = { url: webhook.url, headers, body };
    const answer = await send(context.rules, request, this.progress.failures, context.signal);
    const milliseconds = Math.round(performance.now() - startedAt);
    this.lane = answer.error === '' && milliseconds <= quickMs ? 'quick' : 'slow';
    const { status, error, text: response } = answer;
    const attempt = { webhook: webhook.id, sequence, at, status, error, milliseconds, response };
    context.journal.recordAttempt({
      ...attempt,
      request: JSON.stringify({ headers, body: JSON.parse(body) }),
    });
    context.count(error === '');
    if (error === '') {
      this.progress.last_success = at;
      context.journal.recordProgress(webhook.id, this.progress);
    }
    return answer;
  }

  #disable(reason: DisabledReason): void {
    this.close();
    this.context.disable(this.webhook.id, reason);
  }
}
