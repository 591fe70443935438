// Requests that are sent twice by chance and shall count once: what the first was answered is kept, for a day,
// under the key that both name.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { IdempotencyKeyReused } from '../../errors.ts';
import type { Instant } from '../instant.ts';

export interface IdempotencyKey {
  readonly contributor: number;
  readonly key: string;
  /** Tells the request from others. */
  readonly request: string;
}

export const idempotencyLifetime = 24 * 3600 * 1_000_000;

/** The answer must be what JSON can hold. */
export async function runOnce<Result>(
  transaction: Transaction,
  at: Instant,
  { contributor, key, request }: IdempotencyKey,
  work: () => Promise<Result>,
): Promise<Result> {
  const isSameKey = sql`contributor = ${contributor} and key = ${key}`;
  await transaction.run(
    sql`delete from idempotency where ${isSameKey} and created < ${at - idempotencyLifetime}`,
  );
  // Of two at once the second waits here until the first is through.
  const inserted = await transaction.first(
    sql`insert into idempotency (contributor, key, request, answer, created)
        values (${contributor}, ${key}, ${request}, '', ${at}) on conflict do nothing returning key`,
  );
  if (inserted) {
    const result = await work();
    await transaction.run(sql`update idempotency set answer = ${JSON.stringify(result)} where ${isSameKey}`);
    return result;
  }
  const stored = await transaction.first<{ request: string; answer: string }>(
    sql`select request, answer from idempotency where ${isSameKey}`,
  );
  if (stored?.request !== request) throw new IdempotencyKeyReused();
  return JSON.parse(stored.answer) as Result;
}
