// A copy of the gallery that nobody else reads or writes, so that all pages show the same moment. Accounts that others
// look after are deleted from it, with their projects, as if their people had left.

import { all, type Database, integer } from '#sql';
import { transact } from '../../core/changes/transact.ts';
import type { PhaseProgress } from '../../core/commands/progress-bar.ts';
import { openGallery } from '../../core/open-gallery.ts';
import { copySnapshot } from '../../projects/database-copy/snapshot.ts';
import { finishUpdates } from '../../projects/people/contributor-updates.ts';
import { deleteAccount } from '../../projects/people/delete.ts';

export async function copyForVisitors(
  from: Database,
  path: string,
  { withLookedAfter, progress }: { readonly withLookedAfter: boolean; readonly progress: PhaseProgress },
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
