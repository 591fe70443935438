// How a page writes: one transaction, in the reader's name, that counts once however often its form is sent.

import { once } from '../gallery/changes/once.ts';
import { write } from '../gallery/changes/write.ts';
import type { Act } from '../gallery/projects/change.ts';
import { onceField } from './form.tsx';
import type { PageParts, Served } from './serve.ts';

export async function acting<Result>(
  { database }: PageParts,
  { reader, visit, address }: Served,
  work: (act: Act) => Promise<Result>,
): Promise<Result> {
  const { data } = await visit.body();
  const key = data[onceField];
  return write(database, reader.contributor, (transaction, notes) => {
    const perform = () => work({ transaction, notes, reader });
    if (typeof key !== 'string' || !/^[\w-]{1,64}$/.test(key) || reader.contributor === null)
      return perform();
    // Sent again by mistake it may have been changed, which is no reason to do it twice.
    const sent = { contributor: reader.contributor, key: `form ${key}`, request: address.path };
    return once(transaction, notes.at, sent, perform);
  });
}
