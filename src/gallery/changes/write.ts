// A write on behalf of a viewer: one transaction, which happens only once for each request.

import type { Database, Transaction } from '../../database/database.ts';
import type { Viewer } from '../viewer.ts';
import { type RequestKey, runOnce } from './idempotency.ts';
import { type ChangeSet, type TransactOptions, transact } from './transact.ts';
import { limitUsage } from './usage.ts';

/** A transaction, what it has changed so far, and who makes the change. */
export interface WriteContext {
  readonly transaction: Transaction;
  readonly changeSet: ChangeSet;
  readonly viewer: Viewer;
  /** A moderator's reason for the change. */
  readonly reason?: string;
}

interface WriteRequest {
  readonly viewer: Viewer;
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
  const { viewer } = request;
  const { contributor } = viewer;
  const key = contributor === null ? undefined : await request.readRequestKey();
  const runWork = (transaction: Transaction, changeSet: ChangeSet) => {
    if (contributor !== null && viewer.quotas) limitUsage(changeSet, contributor, viewer.quotas);
    const run = () => work({ transaction, changeSet, viewer });
    return contributor === null || !key ? run() : runOnce(transaction, changeSet.at, contributor, key, run);
  };
  // Two requests with one key depend on each other.
  return transact(database, contributor, runWork, { ...options, isIndependent: isIndependent && !key });
}
