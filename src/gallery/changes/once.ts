// Requests that are sent twice by chance and shall count once: what the first was answered is kept, for a day,
// under the key that both name.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { KeyReused } from '../../errors.ts';
import type { Instant } from '../instant.ts';

export interface Key {
  readonly contributor: number;
  readonly key: string;
  /** Tells the request from others. */
  readonly request: string;
}

export const keptFor = 24 * 3600 * 1_000_000;

/** The answer must be what JSON can hold. */
export async function once<Answer>(
  transaction: Transaction,
  at: Instant,
  { contributor, key, request }: Key,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const mine = sql`contributor = ${contributor} and key = ${key}`;
  await transaction.run(sql`delete from idempotency where ${mine} and created < ${at - keptFor}`);
  // Of two at once the second waits here until the first is through.
  const first = await transaction.first(
    sql`insert into idempotency (contributor, key, request, answer, created)
        values (${contributor}, ${key}, ${request}, '', ${at}) on conflict do nothing returning key`,
  );
  if (first) {
    const answer = await work();
    await transaction.run(sql`update idempotency set answer = ${JSON.stringify(answer)} where ${mine}`);
    return answer;
  }
  const kept = await transaction.first<{ request: string; answer: string }>(
    sql`select request, answer from idempotency where ${mine}`,
  );
  if (kept?.request !== request) throw new KeyReused();
  return JSON.parse(kept.answer) as Answer;
}
