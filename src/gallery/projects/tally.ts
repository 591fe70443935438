// How many projects there are of each kind, and how many listed ones have a tag: kept, so that no listing counts
// rows. Rows are written in one order by everybody, so that two writers never wait for each other.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { tagKey } from './filters.ts';
import { isListed, type Stored, tagsOf } from './stored.ts';
import { visitorsList } from './visible.ts';

/** Counts all projects anew: after a bulk load that is sooner done than keeping count. */
export async function retally(transaction: Transaction): Promise<void> {
  await transaction.run(sql`delete from tally`);
  await transaction.run(
    sql`insert into tally (visibility, status, veil, content_type, count)
        select visibility, status, veil, content_type, count(*) from project group by visibility, status, veil, content_type`,
  );
  await transaction.run(sql`delete from tag_count`);
  await transaction.run(
    sql`insert into tag_count (tag_key, count)
        select tag_key, count(*) from tag
        where project in (select id from project where ${visitorsList})
        group by tag_key`,
  );
}

type Kind = Pick<Stored, 'visibility' | 'status' | 'veil' | 'content_type'>;

const same = (one: Kind, other: Kind) =>
  one.visibility === other.visibility &&
  one.status === other.status &&
  one.veil === other.veil &&
  one.content_type === other.content_type;

export async function adjustTally(
  transaction: Transaction,
  before: Stored | undefined,
  after: Stored,
): Promise<void> {
  if (before && same(before, after)) return;
  const steps: [Kind, number][] = [...(before ? [[before, -1] as [Kind, number]] : []), [after, 1]];
  const place = ([kind]: [Kind, number]) =>
    `${kind.visibility} ${kind.status} ${kind.veil} ${kind.content_type}`;
  steps.sort((one, other) => (place(one) < place(other) ? -1 : 1));
  for (const [kind, count] of steps) await bumpTally(transaction, kind, count);
}

export function bumpTally(transaction: Transaction, kind: Kind, count: number): Promise<void> {
  const { visibility, status, veil, content_type } = kind;
  return transaction.run(
    sql`insert into tally (visibility, status, veil, content_type, count)
        values (${visibility}, ${status}, ${veil}, ${content_type}, ${count})
        on conflict (visibility, status, veil, content_type) do update set count = tally.count + excluded.count`,
  );
}

export async function adjustTagCounts(
  transaction: Transaction,
  before: Stored | undefined,
  after: Stored,
): Promise<void> {
  const keysOf = (project: Stored | undefined) =>
    new Set(project && isListed(project) ? tagsOf(project).map(tagKey) : []);
  const [had, has] = [keysOf(before), keysOf(after)];
  const moved = [...had.symmetricDifference(has)].sort();
  await Promise.all(moved.map((key) => bumpTagCount(transaction, key, has.has(key) ? 1 : -1)));
}

export function bumpTagCount(transaction: Transaction, key: string, count: number): Promise<void> {
  return transaction.run(
    sql`insert into tag_count (tag_key, count) values (${key}, ${count})
        on conflict (tag_key) do update set count = tag_count.count + excluded.count`,
  );
}
