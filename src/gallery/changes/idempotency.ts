// Runs a request with an idempotency key once: its response is stored for a day, and a repeated request with the same
// key gets the stored response.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { idempotencyTable } from '../../database/schema.ts';
import { IdempotencyKeyReused } from '../../errors.ts';
import { addDays, type Instant } from '../instant.ts';

export interface RequestKey {
  readonly key: string;
  /** Identifies the request: a key cannot be used again for another one. */
  readonly request: string;
}

/** Responses from before this time are forgotten. */
export const oldestStoredAt = (at: Instant): Instant => addDays(at, -1);

/** The result must survive JSON. */
export async function runOnce<Result>(
  transaction: Transaction,
  at: Instant,
  contributor: number,
  { key, request }: RequestKey,
  work: () => Promise<Result>,
): Promise<Result> {
  const isSameKey = sql`contributor = ${contributor} and key = ${key}`;
  await transaction.run(sql`delete from idempotency where ${isSameKey} and created < ${oldestStoredAt(at)}`);
  // The second of two simultaneous requests waits here for the first.
  const inserted = await transaction.runReturning(
    idempotencyTable.columns,
    sql`insert into idempotency (contributor, key, request, response, created)
        values (${contributor}, ${key}, ${request}, '', ${at}) on conflict do nothing`,
  );
  if (inserted) {
    const result = await work();
    await transaction.run(
      sql`update idempotency set response = ${JSON.stringify(result)} where ${isSameKey}`,
    );
    return result;
  }
  const stored = await transaction.first(
    select(idempotencyTable.columns, sql`from idempotency where ${isSameKey}`),
  );
  if (stored?.request !== request) throw new IdempotencyKeyReused();
  return JSON.parse(stored.response) as Result;
}
