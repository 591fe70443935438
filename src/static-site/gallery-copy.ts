// A copy of the gallery that nobody else reads or writes, so that all pages show the same moment. Accounts that a class
// looks after are deleted from it, with their projects, as if their people had left.

import { integer } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { all } from '../database/query.ts';
import { finishUpdates } from '../gallery/accounts/contributor-updates.ts';
import { deleteAccount } from '../gallery/accounts/delete.ts';
import { transact } from '../gallery/changes/transact.ts';
import { openGallery } from '../gallery/open.ts';
import { type CopyProgress, copySnapshot } from '../import-export/copy/copy.ts';

export async function copyForVisitors(
  from: Database,
  path: string,
  { withLookedAfter, progress }: { readonly withLookedAfter: boolean; readonly progress: CopyProgress },
): Promise<void> {
  const copy = await openGallery(path, undefined, { copying: 'to' });
  try {
    await copySnapshot(from, copy, progress);
    if (!withLookedAfter) await deleteLookedAfter(copy);
  } finally {
    await copy.close();
  }
}

async function deleteLookedAfter(copy: Database): Promise<void> {
  const accounts = await all(copy, {
    contributor: integer(),
  })`from account where looked_after_by is not null`;
  for (const { contributor } of accounts)
    await transact(copy, null, (write) => deleteAccount(write, contributor, 'delete'));
  await finishUpdates(copy);
}
