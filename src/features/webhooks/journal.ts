// The results of attempts for all webhooks. They are saved several times a second in one transaction, which also renews the
// lease: nothing is saved by a process that another one has replaced.

import sql, { join } from 'sql-template-tag';
import { all, type Database, pick, type Transaction } from '#sql';
import type { Shares } from './shares.ts';
import { webhookAttemptTable, webhookDeadLetterTable, webhookTable } from './tables.ts';
import { type Attempt, type Webhook, webhookLimits } from './webhook.ts';

export type Progress = Pick<
  Webhook,
  'position' | 'failures' | 'failing_since' | 'next_attempt' | 'last_success'
>;

interface Unsaved {
  progress: Progress | undefined;
  attempts: (Omit<Attempt, 'id' | 'request'> & { readonly request: object })[];
  deadLetters: { readonly sequence: number; readonly at: number }[];
  /** Dead letters that were delivered later. */
  delivered: number[];
  /** The last change that a redelivery has sent, by its id. */
  redelivered: ReadonlyMap<number, number>;
}

const idColumns = pick(webhookTable.columns, 'id', 'contributor');

export class Journal {
  #unsaved = new Map<number, Unsaved>();

  constructor(
    private readonly database: Database,
    private readonly shares: Shares,
  ) {}

  get isEmpty(): boolean {
    return this.#unsaved.size === 0;
  }

  recordProgress(webhook: number, progress: Progress): void {
    this.#unsavedOf(webhook).progress = { ...progress };
  }

  recordAttempt(attempt: Omit<Attempt, 'id' | 'request'>, request: object): void {
    const unsaved = this.#unsavedOf(attempt.webhook);
    unsaved.attempts.push({ ...attempt, request });
    if (unsaved.attempts.length > 2 * webhookLimits.attempts)
      unsaved.attempts = unsaved.attempts.slice(-webhookLimits.attempts);
  }

  recordDelivered(webhook: number, sequence: number): void {
    this.#unsavedOf(webhook).delivered.push(sequence);
  }

  recordDeadLetter(webhook: number, sequence: number, at: number): void {
    this.#unsavedOf(webhook).deadLetters.push({ sequence, at });
  }

  recordRedelivery(webhook: number, id: number, reached: number): void {
    const unsaved = this.#unsavedOf(webhook);
    unsaved.redelivered = new Map([...unsaved.redelivered, [id, reached]]);
  }

  /** Throws if it could not be saved, and keeps it for the next time. */
  async save(): Promise<void> {
    const saved = this.#unsaved;
    this.#unsaved = new Map();
    try {
      await this.database.transaction((transaction) => this.#write(transaction, saved));
    } catch (error) {
      for (const [webhook, unsaved] of saved) {
        const later = this.#unsaved.get(webhook);
        this.#unsaved.set(webhook, later ? joinUnsaved(unsaved, later) : unsaved);
      }
      throw error;
    }
  }

  #unsavedOf(webhook: number): Unsaved {
    let unsaved = this.#unsaved.get(webhook);
    if (!unsaved) {
      unsaved = { progress: undefined, attempts: [], deadLetters: [], delivered: [], redelivered: new Map() };
      this.#unsaved.set(webhook, unsaved);
    }
    return unsaved;
  }

  async #write(transaction: Transaction, saved: ReadonlyMap<number, Unsaved>): Promise<void> {
    await this.shares.renew(transaction);
    if (saved.size === 0) return;
    const ids = join([...saved.keys()].sort((one, other) => one - other));
    // Some may have been deleted meanwhile, or belong to another process by now.
    const rows = await all(transaction, idColumns)`from webhook
      where id in (${ids}) order by id ${transaction.forUpdate}`;
    for (const { id, contributor } of rows) {
      const unsaved = saved.get(id);
      if (unsaved && this.shares.holds(contributor)) await writeUnsaved(transaction, id, unsaved);
    }
  }
}

async function writeUnsaved(transaction: Transaction, id: number, unsaved: Unsaved): Promise<void> {
  const { progress, deadLetters, delivered, redelivered } = unsaved;
  const attempts = unsaved.attempts.slice(-webhookLimits.attempts);
  if (progress)
    await transaction.run(
      sql`update webhook set position = ${progress.position}, failures = ${progress.failures},
            failing_since = ${progress.failing_since}, next_attempt = ${progress.next_attempt},
            last_success = ${progress.last_success} where id = ${id}`,
    );
  const letters = deadLetters.map((letter) => ({ webhook: id, ...letter }));
  await transaction.insertMissing(webhookDeadLetterTable, letters);
  if (delivered.length > 0)
    await transaction.run(
      sql`delete from webhook_dead_letter where webhook = ${id} and sequence in (${join(delivered)})`,
    );
  for (const [redelivery, reached] of redelivered)
    await transaction.run(sql`update webhook_redelivery set after = ${reached} where id = ${redelivery}`);
  if (redelivered.size > 0)
    await transaction.run(sql`delete from webhook_redelivery where webhook = ${id} and after >= last`);
  if (attempts.length === 0) return;
  // In few statements: while a transaction is open, PostgreSQL keeps what others delete, and they walk over it.
  const ids = await transaction.nextIds(webhookAttemptTable, attempts.length);
  const rows = attempts.map((attempt, index) => ({
    id: ids[index] as number,
    ...attempt,
    request: JSON.stringify(attempt.request),
  }));
  await transaction.insert(webhookAttemptTable, rows);
  await transaction.run(
    sql`delete from webhook_attempt where webhook = ${id} and id <= (
          select id from webhook_attempt where webhook = ${id} order by id desc
          limit 1 offset ${webhookLimits.attempts})`,
  );
}

const joinUnsaved = (earlier: Unsaved, later: Unsaved): Unsaved => ({
  progress: later.progress ?? earlier.progress,
  attempts: [...earlier.attempts, ...later.attempts].slice(-webhookLimits.attempts),
  deadLetters: [...earlier.deadLetters, ...later.deadLetters],
  delivered: [...earlier.delivered, ...later.delivered],
  redelivered: new Map([...earlier.redelivered, ...later.redelivered]),
});
