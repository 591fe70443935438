// Processes that send events share the webhooks by their owners: each holds a lease of some shares, about as many as every
// other one. What owners of a share get is sent by nobody else.

import sql, { join } from 'sql-template-tag';
import { OperatorError } from '#common/errors.ts';
import { timeLimits } from '#common/time-limits.ts';
import { all, type Database, execute, executeAlone, type Transaction } from '#sql';
import { now } from '../../core/instant.ts';
import { addHeldJobs } from '../../core/jobs/jobs.ts';
import { jobTable } from '../../core/server-tables.ts';

const kind = 'webhooks';
const shareCount = 32;
const shareNames = Array.from({ length: shareCount }, (_, share) => `share ${share}`);
const shareOf = (owner: number) => shareNames[owner % shareCount] ?? '';

const isOfKind = sql`kind = ${kind}`;

export class Shares {
  readonly #holder: string = crypto.randomUUID();
  #held = new Set<string>();
  /** Given to others once nothing of them is under way. */
  #leaving = new Set<string>();

  constructor(private readonly database: Database) {}

  /** Whether this process may save what was sent to an owner. */
  holds(owner: number): boolean {
    return this.#held.has(shareOf(owner));
  }

  /** Whether this process sends to an owner. */
  has(owner: number): boolean {
    return this.holds(owner) && !this.#leaving.has(shareOf(owner));
  }

  get #isOwn() {
    return sql`${isOfKind} and held_by = ${this.#holder}`;
  }

  /** Throws if another process has taken something; otherwise none does before the transaction ends. */
  async renew(transaction: Transaction): Promise<void> {
    const rows = await all(transaction, jobTable.columns)`from job
      where ${this.#isOwn} order by name ${transaction.forUpdate}`;
    const names = new Set(rows.map(({ name }) => name));
    if (![...this.#held].every((name) => names.has(name)))
      throw new OperatorError('Another process sends these events, because this one was too slow.');
    await execute(
      transaction,
    )`update job set held_until = ${now() + timeLimits.webhookLease * 1000} where ${this.#isOwn}`;
  }

  /** Takes what is free, up to a fair part. Returns whether it got some, and whether it has to give some away. */
  async balance(): Promise<{ readonly hasMore: boolean; readonly hasLess: boolean }> {
    const before = this.#held.size;
    const part = await this.database.transaction(async (transaction) => {
      await addHeldJobs(transaction, kind, shareNames);
      // A row of its own says that this process is there, also while it has no share.
      await addHeldJobs(transaction, kind, [this.#holder], this.#holder, timeLimits.webhookLease);
      const rows = await all(transaction, jobTable.columns)`from job
        where ${isOfKind} order by name ${transaction.forUpdate}`;
      const [at, isShare] = [now(), new Set(shareNames)];
      const live = rows.filter(({ name, held_until }) => !isShare.has(name) && held_until > at);
      const most = Math.ceil(shareCount / Math.max(1, live.length));
      const free = rows.filter(({ name, held_until }) => isShare.has(name) && held_until <= at);
      const taken = free.slice(0, Math.max(0, most - this.#held.size)).map(({ name }) => name);
      if (taken.length > 0)
        await execute(
          transaction,
        )`update job set held_by = ${this.#holder}, held_until = ${at + timeLimits.webhookLease * 1000}
          where ${isOfKind} and name in (${join(taken)})`;
      await execute(transaction)`delete from job
        where ${isOfKind} and name not like 'share %' and held_until <= ${at}`;
      return { most, taken };
    });
    this.#held = new Set([...this.#held, ...part.taken]);
    this.#leaving = new Set([...this.#held].slice(part.most));
    return { hasMore: this.#held.size > before, hasLess: this.#leaving.size > 0 };
  }

  /** Call it when everything about them is saved. */
  async giveAway(names: ReadonlySet<string> = this.#leaving): Promise<void> {
    if (names.size === 0) return;
    await executeAlone(this.database)`update job set held_by = '', held_until = 0
      where ${this.#isOwn} and name in (${join([...names])})`;
    this.#held = this.#held.difference(names);
    this.#leaving = new Set();
  }

  end = (): Promise<void> => this.giveAway(new Set([...this.#held, this.#holder]));
}
