// The events that wait for one webhook while this process delivers: which are sent next, and when. Without other wishes of
// the owner, one request follows another. Several at a time are about different projects.

import { RequestLifetime } from '#common/request-lifetime.ts';
import { timeLimits } from '#common/time-limits.ts';
import { now } from '../../core/instant.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { type FeedEntry, listChangesSince } from '../../projects/changes/change-feed.ts';
import type { Subscriber, Subscription } from '../../projects/changes/subscriptions.ts';
import type { AppliedFilters } from '../../projects/reading/tagged-projects.ts';
import type { Redelivery, WebhookDependencies } from './dependencies.ts';
import { decideOn, findEvents, isDecided, WaitingEntries, type WaitingEntry } from './entries.ts';
import type { Journal, Progress } from './journal.ts';
import { Redeliveries } from './redeliveries.ts';
import { chooseDelay } from './retry-delay.ts';
import { type Answer, type Event, formatRequest, send, signEvent } from './send.ts';
import type { Sender } from './slots.ts';
import { type DisabledReason, retryPeriod, testRange, type Webhook } from './webhook.ts';

/** An answer that comes within this time is quick. */
const quickMs = 1000;
const maxEntries = 200;
/** Of a webhook that gets several events at a time. */
const maxEntriesAhead = 1000;
/** A webhook whose events are all hidden saves its position from time to time: after a start it is read from there. */
const positionStep = 1000;

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
  #running = 0;
  #isPaused = false;
  isOver = false;
  /** Until the log is replaced by an older one: its position says nothing of that one. */
  isFollowing = true;
  lane: Sender['lane'];
  readonly host: string;
  readonly #entries = new WaitingEntries();
  #subscription: Subscription | undefined;
  #timer: Timer | undefined;
  readonly #redeliveries = new Redeliveries();
  #isRedeliveryNext = true;
  #isRedelivering = false;
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

  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** How many requests may be under way: one while a request fails. */
  get concurrency(): number {
    return this.progress.failures > 0 ? 1 : this.webhook.concurrency;
  }

  get hasRoom(): boolean {
    const { concurrency, batch_size } = this.webhook;
    return this.#entries.length < (concurrency * batch_size > 1 ? maxEntriesAhead : maxEntries);
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
    this.#entries.add(entries);
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
    this.#redeliveries.set(rows);
  }

  get hasWork(): boolean {
    if (this.isOver || this.#isPaused || this.#running >= this.concurrency) return false;
    return this.#hasRedelivery || this.#hasDueEvent;
  }

  get #hasRedelivery(): boolean {
    return this.#redeliveries.first !== undefined && !this.#isRedelivering;
  }

  get #hasDueEvent(): boolean {
    return this.#entries.hasNext && this.progress.next_attempt <= now();
  }

  /** After a failure that is not the receiver's. */
  pause(ms: number): void {
    this.#isPaused = true;
    setTimeout(() => {
      this.#isPaused = false;
      this.wakeLater();
    }, ms).unref();
  }

  /** Sends one request. What it sends is chosen at once, so that the next call chooses something else. */
  async work(): Promise<void> {
    this.#running++;
    const redelivery = this.#hasRedelivery ? this.#redeliveries.first : undefined;
    const isRedelivery = redelivery !== undefined && (this.#isRedeliveryNext || !this.#hasDueEvent);
    this.#isRedeliveryNext = !isRedelivery;
    const entries = isRedelivery ? [] : this.#entries.take(this.webhook.batch_size);
    try {
      if (isRedelivery) {
        this.#isRedelivering = true;
        const viewer = await this.#findViewer();
        if (viewer) await this.#redeliver(viewer, redelivery);
      } else if (entries.length > 0) await this.#deliverNext(entries);
    } finally {
      if (isRedelivery) this.#isRedelivering = false;
      this.#entries.giveBack(entries);
      this.#running--;
    }
    this.wakeLater();
  }

  /** The owner as they are now; undefined if they get nothing any more. */
  async #findViewer(): Promise<Viewer | undefined> {
    const viewer = await this.context.findViewer(this.webhook.contributor);
    if (!viewer) this.#disable('account');
    else if (this.webhook.events === 'gallery' && !viewer.isModerator) this.#disable('role');
    else return viewer;
    return undefined;
  }

  /** The number of the last change that was looked at, if it is worth saving. */
  findUnsavedPosition(step = positionStep): number | undefined {
    const { position: reached = 0 } = this.#subscription ?? {};
    if (!this.isFollowing || this.#entries.length > 0 || this.isBusy || reached < this.#savedPosition + step)
      return undefined;
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

  async #deliverNext(entries: readonly WaitingEntry[]): Promise<void> {
    if (!entries.every(isDecided) && !(await this.#decide(entries))) return;
    const events = entries.flatMap(({ event }) => event ?? []);
    const answer = events.length > 0 ? await this.#attempt(events) : undefined;
    if (this.isOver && answer && answer.error !== '') return;
    if (!answer || answer.error === '') this.#advance(entries);
    else if (answer.status === 410) this.#disable('gone');
    else this.#fail(entries, answer.retryAfter);
  }

  /** Also about the events that other requests take next, so that many need one look. False if the owner gets nothing. */
  async #decide(entries: readonly WaitingEntry[]): Promise<boolean> {
    const viewer = await this.#findViewer();
    if (!viewer) return false;
    const decided = [...entries, ...this.#entries.peek(this.concurrency - 1)];
    const found = decided.map(({ entry }) => entry);
    const events = await this.#toEvents(viewer, found);
    for (const waiting of decided) decideOn(waiting, events);
    return true;
  }

  #advance(entries: readonly WaitingEntry[]): void {
    const { progress } = this;
    const { isWell, position = progress.position } = this.#entries.finish(entries);
    if (isWell) Object.assign(progress, { failures: 0, failing_since: null, next_attempt: 0 });
    progress.position = position;
    this.#savedPosition = progress.position;
    if (this.#entries.length < maxEntriesAhead / 2) this.#subscription?.resume();
    if (this.isFollowing) this.context.journal.recordProgress(this.webhook.id, progress);
  }

  #fail(entries: readonly WaitingEntry[], retryAfter: number): void {
    const { progress, webhook } = this;
    const at = now();
    if (!this.#entries.fail(entries)) return;
    const since = progress.failing_since ?? at;
    progress.failing_since = since;
    progress.failures++;
    progress.next_attempt = at + chooseDelay(progress.failures, retryAfter);
    if (at < since + retryPeriod) {
      if (this.isFollowing) this.context.journal.recordProgress(webhook.id, progress);
      return;
    }
    for (const { entry } of entries) this.context.journal.recordDeadLetter(webhook.id, entry.sequence, at);
    this.#advance(entries);
    // A test or a redelivery may have arrived.
    if ((progress.last_success ?? 0) < since) this.#disable('failing');
  }

  /** Sends one event of the range, once. */
  async #redeliver(viewer: Viewer, { id, after, last }: Redelivery): Promise<void> {
    if (last === testRange.last) {
      const event = { id: `${this.webhook.id}-test-${id}`, sequence: 0, type: 'test', at: now() };
      await this.#attempt([{ ...event, data: { webhook: this.webhook.id } }]);
      return this.#recordRedelivery(id, last);
    }
    const repeated = this.#redeliveries;
    if (repeated.entries.length === 0) {
      const { entries, reached, hasMore } = await this.#readChanges(viewer, after);
      repeated.entries = entries.filter(({ sequence }) => sequence <= last);
      if (repeated.entries.length === 0) return this.#recordRedelivery(id, hasMore ? reached : last);
    }
    const entry = repeated.entries.shift();
    const events = entry ? [...(await this.#toEvents(viewer, [entry])).values()] : [];
    const answer = events.length > 0 ? await this.#attempt(events) : undefined;
    const hasFailed = answer !== undefined && answer.error !== '';
    if (answer && entry && !hasFailed) this.context.journal.recordDelivered(this.webhook.id, entry.sequence);
    this.#recordRedelivery(id, hasFailed ? last : (entry?.sequence ?? last));
  }

  #readChanges(viewer: Viewer, after: number) {
    const read = () => listChangesSince(this.context.database, viewer, after, maxEntries, this.filters);
    return new RequestLifetime(timeLimits.request).withinTimeLimit(read);
  }

  #recordRedelivery(id: number, reached: number): void {
    this.#redeliveries.record(id, reached);
    this.context.journal.recordRedelivery(this.webhook.id, id, reached);
  }

  #toEvents(viewer: Viewer, entries: readonly FeedEntry[]): Promise<Map<number, Event>> {
    return findEvents(this.context, this.webhook, viewer, this.filters, entries);
  }

  async #attempt(events: readonly Event[]): Promise<Answer> {
    const { context, webhook } = this;
    const at = now();
    const { id, sequence, content } = formatRequest(webhook, events, at);
    const body = JSON.stringify(content);
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
    context.journal.recordAttempt(attempt, { headers, body: content });
    context.count(error === '');
    if (error === '') {
      this.progress.last_success = at;
      if (this.isFollowing) context.journal.recordProgress(webhook.id, this.progress);
    }
    return answer;
  }

  #disable(reason: DisabledReason): void {
    this.close();
    this.context.disable(this.webhook.id, reason);
  }
}
