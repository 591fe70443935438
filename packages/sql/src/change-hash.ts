// The change log is a chain: the hash of each change covers the hash before it, so that nobody can cut out, swap or alter
// a change unnoticed. It covers only what never changes later. So it leaves out the record, which is emptied when
// somebody deletes or redacts their text: a hash would let others guess it.

import { pick, type RowOf } from './columns.ts';
import { changeTable } from './own-tables.ts';

/** The columns of the log that the hash covers. */
export const hashedColumns = pick(
  changeTable.columns,
  'sequence',
  'at',
  'actor',
  'action',
  'kind',
  'subject',
  'owner',
);

type HashedChange = RowOf<typeof hashedColumns>;

/** The function `next_change_hash` of PostgreSQL computes the same. */
export function hashChange(
  previousHash: string,
  { sequence, at, actor, action, kind, subject, owner }: HashedChange,
): string {
  const parts = [previousHash, sequence, at, actor ?? '', action, kind, subject, owner ?? ''];
  return Bun.CryptoHasher.hash('sha256', parts.join('|'), 'hex');
}

/** The changes with their hashes, in the order of their numbers; `previousHash` is that of the change before them. */
export function addHashes<Change extends HashedChange>(changes: readonly Change[], previousHash: string) {
  let hash = previousHash;
  return changes.map((change) => {
    hash = hashChange(hash, change);
    return { ...change, hash };
  });
}
