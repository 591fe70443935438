// Delivers events to the webhooks of the shares that this process holds: see docs/decisions/0063-webhooks.md and 0097.

import sql from 'sql-template-tag';
import { Failure, OperatorError } from '#common/errors.ts';
import { inSlices } from '#common/event-loop.ts';
import { Outage } from '#common/outage.ts';
import { SharedCall } from '#common/shared-call.ts';
import { timeLimits } from '#common/time-limits.ts';
import { all, type Database, exists } from '#sql';
import type { ChangeListener, ChangeRange } from '../../core/changes/follower.ts';
import { findChangeHead } from '../../core/changes/head.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { findWebhookFilters } from './events.ts';
import { Journal } from './journal.ts';
import { Shares } from './shares.ts';
import { Slots } from './slots.ts';
import { webhookRedeliveryTable } from './tables.ts';
import { type DisabledReason, type Webhook, webhookColumns } from './webhook.ts';
import { type DeliveryContext, WebhookQueue } from './webhook-queue.ts';
import { disableWebhook } from './write-webhook.ts';

const renewMs = 2000;
/** A process ends its requests this long before another one may take its shares. */
const marginMs = 1000;
const saveMs = 200;
/** How long requests may go on when the server is stopped. */
const stopMs = 2000;

export const isDeliveryDue = (database: Database) =>
  exists(database, sql`from webhook where disabled is null`);

/** `onLost` is called when it has to stop. */
export async function beginDelivery(
  deps: WebhookDependencies,
  count: (isSuccess: boolean) => void,
  onLost: () => void,
): Promise<Delivery> {
  const shares = new Shares(deps.database);
  const heldUntil = performance.now() + timeLimits.webhookLease;
  await shares.balance();
  return new Delivery(deps, shares, heldUntil, count, onLost);
}

export class Delivery implements ChangeListener {
  readonly #queues = new Map<number, WebhookQueue>();
  /** Webhooks that are being switched off, and whether that is done: rows that were read before do not open them again. */
  readonly #disabling = new Map<number, boolean>();
  readonly #waiting = new Set<WebhookQueue>();
  readonly #running = new Map<Promise<void>, WebhookQueue>();
  readonly #slots = new Slots();
  readonly #abort = new AbortController();
  readonly #context: DeliveryContext;
  readonly #loading = new SharedCall(() => this.#load());
  readonly #saving = new SharedCall(() => this.#save());
  readonly #balancing = new SharedCall(() => this.#balance());
  readonly #journal: Journal;
  readonly #unfollow: () => void;
  readonly #timer: Timer;
  /** A failure of the database is in the log already. */
  readonly #outage = new Outage((error) => {
    const isExpected = error instanceof Failure || this.#abort.signal.aborted;
    if (!isExpected) this.deps.logError(error);
  });
  #isOver = false;
  #savedAt = performance.now();

  constructor(
    private readonly deps: WebhookDependencies,
    private readonly shares: Shares,
    private heldUntil: number,
    count: (isSuccess: boolean) => void,
    private readonly onLost: () => void,
  ) {
    this.#journal = new Journal(deps.database, shares);
    this.#context = {
      ...deps,
      journal: this.#journal,
      signal: this.#abort.signal,
      count,
      wake: (queue) => this.#wake(queue),
      reload: () => void this.#loading.run(),
      disable: (id, reason) => void this.#disable(id, reason),
    };
    this.#unfollow = deps.follower.follow(this);
    this.#timer = setInterval(() => this.#tick(), saveMs).unref();
    void this.#loading.run();
  }

  /** How many webhooks wait for another attempt. */
  get failing(): number {
    return [...this.#queues.values()].filter(({ progress }) => progress.failures > 0).length;
  }

  onRange({ changes }: ChangeRange): void {
    if (changes.some(({ kind }) => kind === 'webhook')) void this.#loading.run();
  }

  onReset(): void {
    void this.#loading.run();
  }

  /** Lets requests that are under way end, saves everything and lets another process go on. */
  async stop(): Promise<void> {
    this.#end();
    await Promise.race([Promise.all(this.#running.keys()), Bun.sleep(stopMs)]);
    this.#abort.abort();
    try {
      await this.#journal.save();
      await this.shares.end();
    } catch (error) {
      this.#outage.begin(error);
    }
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#unfollow();
    this.#waiting.clear();
    for (const queue of this.#queues.values()) this.#close(queue);
  }

  #lose(): void {
    if (this.#isOver) return;
    this.#end();
    this.#abort.abort();
    this.onLost();
  }

  get #isHeld(): boolean {
    return performance.now() < this.heldUntil - marginMs;
  }

  #tick(): void {
    if (!this.#isHeld) {
      this.#lose();
      return;
    }
    const isRenewal = performance.now() - this.#savedAt >= renewMs;
    if (isRenewal) {
      for (const { webhook, progress } of this.#findUnsaved())
        this.#journal.recordProgress(webhook.id, progress);
      void this.#balancing.run();
    }
    if (isRenewal || !this.#journal.isEmpty) void this.#saving.run();
  }

  #findUnsaved(): WebhookQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.findUnsavedPosition() !== undefined);
  }

  async #save(): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#journal.save();
      this.#savedAt = startedAt;
      this.heldUntil = startedAt + timeLimits.webhookLease;
      this.#outage.end();
    } catch (error) {
      if (error instanceof OperatorError) this.#lose();
      else this.#outage.begin(error);
    }
  }

  /** What is given to another process ends first, and is saved. */
  async #balance(): Promise<void> {
    try {
      const { hasMore, hasLess } = await this.shares.balance();
      if (hasMore) void this.#loading.run();
      if (!hasLess) return;
      for (const queue of this.#queues.values()) if (!this.shares.has(queue.owner)) this.#close(queue);
      const leaving = [...this.#running].filter(([, { owner }]) => !this.shares.has(owner));
      await Promise.all(leaving.map(([work]) => work));
      await this.#journal.save();
      await this.shares.giveAway();
    } catch (error) {
      this.#outage.begin(error);
    }
  }

  async #load(): Promise<void> {
    const { database } = this.deps;
    for (const [id, isDone] of this.#disabling) if (isDone) this.#disabling.delete(id);
    try {
      const { last } = await findChangeHead(database);
      const switchedOn = await all(database, webhookColumns)`from webhook where disabled is null`;
      const webhooks = switchedOn.filter(({ contributor }) => this.shares.has(contributor));
      const redeliveries = await all(database, webhookRedeliveryTable.columns)`from webhook_redelivery
        order by id`;
      const redeliveriesOf = Map.groupBy(redeliveries, ({ webhook }) => webhook);
      const active = new Set(webhooks.map(({ id }) => id));
      for (const queue of this.#queues.values()) if (!active.has(queue.webhook.id)) this.#close(queue);
      await inSlices(webhooks, async (webhook) => {
        const queue = await this.#openOrUpdate(webhook, last);
        if (!queue) return;
        queue.setRedeliveries(redeliveriesOf.get(webhook.id) ?? []);
        this.#wake(queue);
      });
    } catch (error) {
      this.#loadLater(error);
    }
  }

  #loadLater(error: unknown): void {
    this.#outage.begin(error);
    setTimeout(() => void this.#loading.run(), renewMs).unref();
  }

  /** A webhook that was changed continues where it was; after the log was replaced, at the position in the database. */
  async #openOrUpdate(webhook: Webhook, head: number): Promise<WebhookQueue | undefined> {
    if (this.#disabling.has(webhook.id)) return undefined;
    const known = this.#queues.get(webhook.id);
    const isSame = (name: 'url' | 'filter' | 'events') => known?.webhook[name] === webhook[name];
    if (known?.isFollowing && isSame('url') && isSame('filter') && isSame('events')) {
      known.webhook = webhook;
      return known;
    }
    if (known) this.#close(known);
    const { position, last_success } = known?.isFollowing ? known.progress : webhook;
    return this.#open({ ...webhook, last_success, position: Math.min(position, head) });
  }

  async #open(webhook: Webhook): Promise<WebhookQueue | undefined> {
    const viewer = await this.deps.findViewer(webhook.contributor);
    if (this.#isOver || !this.shares.has(webhook.contributor)) return undefined;
    const filters = findWebhookFilters(this.deps.projects, webhook);
    if (!viewer || !filters) {
      this.#context.disable(webhook.id, viewer ? 'filter' : 'account');
      return undefined;
    }
    const queue = new WebhookQueue(this.#context, webhook, filters);
    this.#queues.set(webhook.id, queue);
    queue.open(viewer);
    return queue;
  }

  #close(queue: WebhookQueue): void {
    if (queue.findUnsavedPosition(1) !== undefined)
      this.#journal.recordProgress(queue.webhook.id, queue.progress);
    queue.close();
    this.#waiting.delete(queue);
    this.#queues.delete(queue.webhook.id);
  }

  async #disable(id: number, reason: DisabledReason): Promise<void> {
    this.#disabling.set(id, false);
    const queue = this.#queues.get(id);
    if (queue) this.#close(queue);
    // Its owner sees at once why.
    await this.#saving.run();
    try {
      await disableWebhook(this.deps.database, id, reason);
    } catch (error) {
      this.#loadLater(error);
    } finally {
      this.#disabling.set(id, true);
    }
  }

  #wake(queue: WebhookQueue): void {
    if (this.#isOver || !queue.hasWork) return;
    this.#waiting.add(queue);
    this.#startIfPossible(queue);
  }

  #startIfPossible(queue: WebhookQueue): void {
    while (this.#isHeld && queue.hasWork) {
      const leave = this.#slots.take(queue);
      if (!leave) return;
      this.#start(queue, leave);
    }
    if (!queue.hasWork) this.#waiting.delete(queue);
  }

  #start(queue: WebhookQueue, leave: () => void): void {
    const { lane } = queue;
    const work = queue
      .work()
      .catch((error) => this.#postpone(queue, error))
      .finally(() => {
        leave();
        this.#running.delete(work);
        // It comes after those that have waited for its place.
        if (!this.#isOver && queue.hasWork) this.#waiting.add(queue);
        for (const next of this.#waiting)
          if (next.lane === lane || next === queue) this.#startIfPossible(next);
      });
    this.#running.set(work, queue);
  }

  /** The database fails, or this is a bug: the next attempt waits. */
  async #postpone(queue: WebhookQueue, error: unknown): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#outage.begin(error);
    queue.pause(renewMs);
  }
}
