// One endpoint while this process delivers: what is to be sent next, and when.

import { Failure, NotFound } from '../errors.ts';
import { type FeedEntry, listChangesSince } from '../gallery/change-feed.ts';
import type { Subscriber, Subscription } from '../gallery/following/subscriptions.ts';
import { type Instant, now } from '../gallery/instant.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { decideEvent, findWebhookFilters } from '../gallery/webhooks/events.ts';
import { type DisabledReason, patience, type Webhook } from '../gallery/webhooks/webhook.ts';
import { RequestLifetime } from '../request-lifetime.ts';
import { chooseDelay } from './backoff.ts';
import type { DeliveryContext, Redelivery } from './dependencies.ts';
import type { Progress } from './journal.ts';
import { type Answer, send } from './send.ts';
import { signEvent } from './signature.ts';
import type { Sender } from './slots.ts';

/** An answer that comes within this time is quick. */
const quickMs = 1000;
const maxQueued = 200;
const readTimeoutMs = 8000;
/** An endpoint whose events are all hidden saves its position from time to time: after a start it is read from there. */
const positionStep = 1000;

interface Event {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly at: Instant;
  readonly data: object;
}

export class Endpoint implements Subscriber, Sender {
  readonly progress: Progress;
  redeliveries: readonly Redelivery[] = [];
  isBusy = false;
  isOver = false;
  lane: Sender['lane'];
  host: string;
  #queue: FeedEntry[] = [];
  #subscription: Subscription | undefined;
  #timer: Timer | undefined;
  #isRedeliveryNext = true;
  /** How far the first redelivery has come. */
  #redelivered = 0;
  #savedPosition: number;

  constructor(
    private readonly context: DeliveryContext,
    public webhook: Webhook,
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
    return this.#queue.length < maxQueued;
  }

  /** `viewer` is what its owner may see at the moment; each event is checked again. */
  open(viewer: Viewer): void {
    const filters = findWebhookFilters(this.context.projects, this.webhook);
    const since = this.progress.position;
    this.#subscription = this.context.subscriptions.subscribe({ viewer, filters, since }, this);
    this.wakeLater();
  }

  deliver(entries: readonly FeedEntry[]): void {
    this.#queue.push(...entries);
    this.context.wake(this);
  }

  /** The log was replaced by an older one. */
  end(): void {
    this.context.reopen(this);
  }

  close(): void {
    this.isOver = true;
    this.#subscription?.close();
    clearTimeout(this.#timer);
  }

  /** After its owner has changed it. */
  update(webhook: Webhook): void {
    const isNew = webhook.url !== this.webhook.url;
    this.webhook = webhook;
    this.host = new URL(webhook.url).host;
    if (!isNew) return;
    this.lane = 'new';
    Object.assign(this.progress, { failures: 0, failing_since: null, next_attempt: 0 });
    this.context.wake(this);
  }

  get hasWork(): boolean {
    if (this.isOver || this.isBusy) return false;
    return this.redeliveries.length > 0 || this.#hasDueEvent;
  }

  get #hasDueEvent(): boolean {
    return this.#queue.length > 0 && this.progress.next_attempt <= now();
  }

  /** Sends one event. */
  async work(): Promise<void> {
    const viewer = await this.context.findOwner(this.webhook.contributor);
    if (!viewer) return this.#disable('account');
    if (this.webhook.events === 'gallery' && !viewer.isModerator) return this.#disable('role');
    const [redelivery] = this.redeliveries;
    if (redelivery && (this.#isRedeliveryNext || !this.#hasDueEvent)) {
      this.#isRedeliveryNext = false;
      await this.#redeliver(viewer, redelivery);
    } else {
      this.#isRedeliveryNext = true;
      await this.#deliverNext(viewer);
    }
    this.wakeLater();
  }

  /** The number up to which everything was dealt with, if it is worth saving. */
  findUnsavedPosition(step = positionStep): number | undefined {
    const { position: reached = 0 } = this.#subscription ?? {};
    if (this.#queue.length > 0 || this.isBusy || reached < this.#savedPosition + step) return undefined;
    this.progress.position = reached;
    this.#savedPosition = reached;
    return reached;
  }

  /** When the next attempt is due. */
  wakeLater(): void {
    clearTimeout(this.#timer);
    const ms = (this.progress.next_attempt - now()) / 1000;
    if (ms > 0) this.#timer = setTimeout(() => this.context.wake(this), ms).unref();
    this.context.wake(this);
  }

  async #deliverNext(viewer: Viewer): Promise<void> {
    const [entry] = this.#queue;
    if (!entry) return;
    const event = await this.#toEvent(viewer, entry);
    const answer = event && (await this.#attempt(event));
    if (this.isOver && answer?.error !== '') return;
    if (!answer || answer.error === '') this.#advance(entry, answer !== undefined);
    else if (answer.status === 410) this.#disable('gone');
    else this.#fail(entry);
  }

  #advance({ sequence }: FeedEntry, isSuccess: boolean): void {
    const { progress } = this;
    Object.assign(progress, { position: sequence, failures: 0, failing_since: null, next_attempt: 0 });
    if (isSuccess) progress.last_success = now();
    this.#queue.shift();
    if (this.#queue.length === 0) this.#subscription?.resume();
    this.#savedPosition = sequence;
    this.context.journal.noteProgress(this.webhook.id, progress);
  }

  #fail(entry: FeedEntry): void {
    const { progress, webhook } = this;
    const at = now();
    const since = progress.failing_since ?? at;
    progress.failing_since = since;
    progress.failures++;
    progress.next_attempt = at + chooseDelay(progress.failures);
    if (at < since + patience) {
      this.context.journal.noteProgress(webhook.id, progress);
      return;
    }
    this.context.journal.noteDeadLetter(webhook.id, entry.sequence, at);
    this.#advance(entry, false);
    if ((progress.last_success ?? 0) < since) this.#disable('failing');
  }

  /** Sends one event of the range, once. */
  async #redeliver(viewer: Viewer, { id, after, last }: Redelivery): Promise<void> {
    if (last === 0) {
      const data = { webhook: this.webhook.id };
      await this.#attempt({
        id: `${this.webhook.id}-test-${id}`,
        sequence: 0,
        type: 'test',
        at: now(),
        data,
      });
      return this.#finishRedelivery(id);
    }
    const since = Math.max(after, this.#redelivered);
    const filters = findWebhookFilters(this.context.projects, this.webhook);
    const read = () => listChangesSince(this.context.database, viewer, since, 1, filters);
    const { entries, reached, hasMore } = await new RequestLifetime(readTimeoutMs).withinTimeLimit(read);
    const [entry] = entries;
    const event = entry && entry.sequence <= last ? await this.#toEvent(viewer, entry) : undefined;
    const answer = event && (await this.#attempt(event));
    this.#redelivered = entry?.sequence ?? reached;
    const isFinished = this.#redelivered >= last || (!entry && !hasMore);
    if (isFinished || (answer && answer.error !== '')) await this.#finishRedelivery(id);
  }

  async #finishRedelivery(id: number): Promise<void> {
    this.#redelivered = 0;
    this.redeliveries = this.redeliveries.filter((redelivery) => redelivery.id !== id);
    await this.context.finishRedelivery(id);
  }

  async #toEvent(viewer: Viewer, found: FeedEntry): Promise<Event | undefined> {
    const { database, projects, serialize } = this.context;
    const filters = findWebhookFilters(projects, this.webhook);
    const entry = await decideEvent(database, viewer, this.webhook, filters, found);
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
    context.journal.noteAttempt({ ...attempt, request: JSON.stringify({ headers, body: JSON.parse(body) }) });
    context.count(error === '');
    return answer;
  }

  #disable(reason: DisabledReason): void {
    this.close();
    this.context.disable(this, reason);
  }
}

/** Filters that were changed by a new version of the program, or a database that is away. */
export const isExpected = (error: unknown) => error instanceof Failure && !(error instanceof NotFound);
