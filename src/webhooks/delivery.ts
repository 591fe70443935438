// Delivers events to all webhooks while this process holds the lease: see docs/decisions/0063-webhooks.md.

import sql from 'sql-template-tag';
import { Failure, OperatorError } from '../common/errors.ts';
import { inSlices } from '../common/event-loop.ts';
import { SharedCall } from '../common/shared-call.ts';
import type { Database } from '../database/database.ts';
import { all, exists } from '../database/query.ts';
import { webhookRedeliveryTable } from '../database/schema.ts';
import { findChangeHead } from '../gallery/change-stream/change-feed.ts';
import type { ChangeListener, ChangeRange } from '../gallery/change-stream/follower.ts';
import { isJobDue, releaseJob, takeJob } from '../gallery/jobs.ts';
import { findWebhookFilters } from '../gallery/webhooks/events.ts';
import { type DisabledReason, type Webhook, webhookColumns } from '../gallery/webhooks/webhook.ts';
import { disableWebhook } from '../gallery/webhooks/write.ts';
import type { WebhookDependencies } from './dependencies.ts';
import { Journal } from './journal.ts';
import { type DeliveryContext, WebhookQueue } from './queue.ts';
import { Slots } from './slots.ts';

const leaseName = 'webhooks';
const holdMs = 8000;
const renewMs = 2000;
/** The process that holds the lease ends its requests this long before another one may take it. */
const marginMs = 1000;
const saveMs = 200;
/** How long requests may go on when the server is stopped. */
const stopMs = 2000;

export const isDeliveryDue = async (database: Database) =>
  (await exists(database, sql`from webhook where disabled is null`)) &&
  (await isJobDue(database, leaseName, 0));

/** Undefined if another process delivers. `onLost` is called when this one has to stop. */
export async function beginDelivery(
  deps: WebhookDependencies,
  count: (isSuccess: boolean) => void,
  onLost: () => void,
): Promise<Delivery | undefined> {
  const lease = { name: leaseName, holder: crypto.randomUUID(), holdMs };
  const heldUntil = performance.now() + holdMs;
  if ((await takeJob(deps.database, leaseName, lease.holder, 0, holdMs)) !== 'taken') return undefined;
  return new Delivery(deps, new Journal(deps.database, lease), lease.holder, heldUntil, count, onLost);
}

export class Delivery implements ChangeListener {
  readonly #queues = new Map<number, WebhookQueue>();
  /** Webhooks that are being switched off, and whether that is done: rows that were read before do not open them again. */
  readonly #disabling = new Map<number, boolean>();
  readonly #waiting = new Set<WebhookQueue>();
  readonly #running = new Set<Promise<void>>();
  readonly #slots = new Slots();
  readonly #abort = new AbortController();
  readonly #context: DeliveryContext;
  readonly #loading = new SharedCall(() => this.#load());
  readonly #saving = new SharedCall(() => this.#save());
  readonly #unfollow: () => void;
  readonly #timer: Timer;
  #isOver = false;
  #isFailing = false;
  #savedAt = performance.now();

  constructor(
    private readonly deps: WebhookDependencies,
    private readonly journal: Journal,
    private readonly holder: string,
    private heldUntil: number,
    count: (isSuccess: boolean) => void,
    private readonly onLost: () => void,
  ) {
    this.#context = {
      ...deps,
      journal,
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
    await Promise.race([Promise.all(this.#running), Bun.sleep(stopMs)]);
    this.#abort.abort();
    try {
      await this.journal.save();
      await releaseJob(this.deps.database, leaseName, this.holder);
    } catch (error) {
      this.#report(error);
    }
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#unfollow();
    this.#waiting.clear();
    for (const queue of this.#queues.values()) {
      const position = queue.findUnsavedPosition(1);
      if (position !== undefined) this.journal.recordProgress(queue.webhook.id, queue.progress);
      queue.close();
    }
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
    if (isRenewal)
      for (const { webhook, progress } of this.#findUnsaved())
        this.journal.recordProgress(webhook.id, progress);
    if (isRenewal || !this.journal.isEmpty) void this.#saving.run();
  }

  #findUnsaved(): WebhookQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.findUnsavedPosition() !== undefined);
  }

  async #save(): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.journal.save();
      this.#savedAt = startedAt;
      this.heldUntil = startedAt + holdMs;
      this.#isFailing = false;
    } catch (error) {
      if (error instanceof OperatorError) this.#lose();
      else this.#report(error);
    }
  }

  /** Once, until something works again. A failure of the database is in the log already. */
  #report(error: unknown): void {
    const isExpected = error instanceof Failure || this.#abort.signal.aborted;
    if (!this.#isFailing && !isExpected) this.deps.logError(error);
    this.#isFailing = true;
  }

  async #load(): Promise<void> {
    const { database } = this.deps;
    for (const [id, isDone] of this.#disabling) if (isDone) this.#disabling.delete(id);
    try {
      const { last } = await findChangeHead(database);
      const webhooks = await all(database, webhookColumns)`from webhook where disabled is null`;
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
    this.#report(error);
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
    if (this.#isOver) return undefined;
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
    if (!this.#isHeld) return;
    const leave = queue.hasWork ? this.#slots.take(queue) : undefined;
    if (leave || !queue.hasWork) this.#waiting.delete(queue);
    if (leave) this.#start(queue, leave);
  }

  #start(queue: WebhookQueue, leave: () => void): void {
    const { lane } = queue;
    queue.isBusy = true;
    const work = queue
      .work()
      .catch((error) => this.#postpone(queue, error))
      .finally(() => {
        leave();
        queue.isBusy = false;
        this.#running.delete(work);
        // It comes after those that have waited for its place.
        if (!this.#isOver && queue.hasWork) this.#waiting.add(queue);
        for (const next of this.#waiting)
          if (next.lane === lane || next === queue) this.#startIfPossible(next);
      });
    this.#running.add(work);
  }

  /** The database fails, or this is a bug: the next attempt waits. */
  async #postpone(queue: WebhookQueue, error: unknown): Promise<void> {
    if (this.#abort.signal.aborted) return;
    this.#report(error);
    queue.pause(renewMs);
  }
}
