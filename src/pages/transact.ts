// How a page writes: one transaction in the viewer's name. A form that is sent twice writes once.

import { runOnce } from '../gallery/changes/idempotency.ts';
import { transact } from '../gallery/changes/transact.ts';
import type { WriteContext } from '../gallery/projects/change.ts';
import { onceField } from './form.tsx';
import type { PageContext, PageDependencies } from './page-context.ts';

export async function transactOnce<Result>(
  { database }: PageDependencies,
  { viewer, request, url }: PageContext,
  work: (write: WriteContext) => Promise<Result>,
): Promise<Result> {
  const { data } = await request.readBody();
  const key = data[onceField];
  return transact(database, viewer.contributor, (transaction, changeSet) => {
    const perform = () => work({ transaction, changeSet, viewer });
    if (typeof key !== 'string' || !/^[\w-]{1,64}$/.test(key) || viewer.contributor === null)
      return perform();
    // Only the path identifies the request, not the body: a form that was edited and sent again still counts once.
    const submission = { contributor: viewer.contributor, key: `form ${key}`, request: url.path };
    return runOnce(transaction, changeSet.at, submission, perform);
  });
}
