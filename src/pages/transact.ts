// How a page writes: one transaction, in the reader's name, that counts once however often its form is sent.

import { once } from '../gallery/changes/once.ts';
import { transact } from '../gallery/changes/transact.ts';
import type { WriteContext } from '../gallery/projects/change.ts';
import { onceField } from './form.tsx';
import type { PageParts, Served } from './serve.ts';

export async function transactOnce<Result>(
  { database }: PageParts,
  { viewer, context, address }: Served,
  work: (act: WriteContext) => Promise<Result>,
): Promise<Result> {
  const { data } = await context.body();
  const key = data[onceField];
  return transact(database, viewer.contributor, (transaction, changeSet) => {
    const perform = () => work({ transaction, changeSet, viewer });
    if (typeof key !== 'string' || !/^[\w-]{1,64}$/.test(key) || viewer.contributor === null)
      return perform();
    // Sent again by mistake it may have been changed, which is no reason to do it twice.
    const sent = { contributor: viewer.contributor, key: `form ${key}`, request: address.path };
    return once(transaction, changeSet.at, sent, perform);
  });
}
