// A write on behalf of a viewer: one transaction, which happens only once for each request.

import sql from 'sql-template-tag';
import { IdempotencyKeyReused } from '#common/errors.ts';
import {
  type Database,
  execute,
  executeAlone,
  executeReturning,
  exists,
  first,
  integer,
  nullable,
  type Transaction,
} from '#sql';
import { idempotencyTable } from '../accounts/tables.ts';
import { addDays, type Instant, now } from '../instant.ts';
import type { Viewer } from '../viewer/viewer.ts';
import { type TransactOptions, transact, type Write } from './transact.ts';
import { limitUsage } from './usage.ts';

/** Called with the version that is about to be changed. */
export type VersionCheck = (version: number) => boolean;

/** A write, and who makes it. */
export interface WriteContext extends Write {
  readonly viewer: Viewer;
  /** A moderator's reason for the change. */
  readonly reason?: string;
  /** False for another version of the project than the client knows, which is then not changed. */
  readonly matchesVersion?: VersionCheck;
}

interface WriteRequest extends Pick<WriteContext, 'viewer' | 'matchesVersion'> {
  /** Undefined if the client did not say how to recognize a repeated request. */
  readRequestKey(): Promise<RequestKey | undefined>;
}

/** A repeated request changes nothing and gets the stored result, which must survive JSON. */
export async function transactOnce<Result>(
  database: Database,
  request: WriteRequest,
  work: (write: WriteContext) => Promise<Result>,
  { isIndependent, ...options }: TransactOptions = {},
): Promise<Result> {
  const { viewer, matchesVersion } = request;
  const { contributor } = viewer;
  const key = contributor === null ? undefined : await request.readRequestKey();
  const runWork = ({ transaction, changeSet }: Write) => {
    if (contributor !== null && viewer.quotas) limitUsage(changeSet, contributor, viewer.quotas);
    const run = () => work({ transaction, changeSet, viewer, matchesVersion });
    return contributor === null || !key ? run() : runOnce(transaction, changeSet.at, contributor, key, run);
  };
  // Two requests with one key depend on each other.
  return transact(database, contributor, runWork, { ...options, isIndependent: isIndependent && !key });
}

// Runs a request with an idempotency key once: its response is stored for a day, and a repeated request with the same
// key gets the stored response. So much is stored for each contributor; then the oldest responses are forgotten.

export interface RequestKey {
  readonly key: string;
  /** Identifies the request: a key cannot be used again for another one. */
  readonly request: string;
}

/** One response has at most half a megabyte. */
const maxResponses = 500;
const maxBytes = 2_000_000;
/** The part that is left when there is too much, so that not every write forgets something. */
const keptPart = 0.75;
const sweepBatchSize = 200;

/** Responses from before this time are forgotten. */
const oldestStoredAt = (at: Instant): Instant => addDays(at, -1);

/** The result must survive JSON. */
export async function runOnce<Result>(
  transaction: Transaction,
  at: Instant,
  contributor: number,
  { key, request }: RequestKey,
  work: () => Promise<Result>,
): Promise<Result> {
  const isSameKey = sql`contributor = ${contributor} and key = ${key}`;
  await execute(transaction)`delete from idempotency where ${isSameKey} and created < ${oldestStoredAt(at)}`;
  // The second of two simultaneous requests waits here for the first.
  const inserted = await executeReturning(transaction, idempotencyTable.columns)`
    insert into idempotency (contributor, key, request, response, created, bytes)
    values (${contributor}, ${key}, ${request}, '', ${at}, 0) on conflict do nothing`;
  if (inserted) {
    const result = await work();
    const response = JSON.stringify(result);
    const bytes = Buffer.byteLength(response);
    await execute(transaction)`update idempotency set response = ${response}, bytes = ${bytes}
      where ${isSameKey}`;
    await forgetOldest(transaction, contributor, key);
    return result;
  }
  const stored = await first(transaction, idempotencyTable.columns)`from idempotency where ${isSameKey}`;
  if (stored?.request !== request) throw new IdempotencyKeyReused();
  return JSON.parse(stored.response) as Result;
}

const totals = { count: integer(sql`count(*)`), bytes: nullable(integer(sql`sum(bytes)`)) };

/** All but the response to this key. */
async function forgetOldest(transaction: Transaction, contributor: number, key: string): Promise<void> {
  const stored = await first(transaction, totals)`from idempotency where contributor = ${contributor}`;
  if (!stored || (stored.count <= maxResponses && (stored.bytes ?? 0) <= maxBytes)) return;
  await execute(transaction)`delete from idempotency
    where contributor = ${contributor} and key <> ${key} and key in (
      select key from (
        select key, row_number() over (order by created desc, key) as place,
          sum(bytes) over (order by created desc, key) as total
        from idempotency where contributor = ${contributor}
      ) as newest_first
      where place > ${maxResponses * keptPart} or total > ${maxBytes * keptPart})`;
}

/** Some at a time: they may be long. */
export async function sweepResponses(database: Database): Promise<void> {
  const isExpired = sql`created < ${oldestStoredAt(now())}`;
  while (await exists(database, sql`from idempotency where ${isExpired}`))
    await executeAlone(database)`delete from idempotency where created <= (
        select max(created) from (
          select created from idempotency where ${isExpired} order by created limit ${sweepBatchSize}
        ) as oldest)`;
}
