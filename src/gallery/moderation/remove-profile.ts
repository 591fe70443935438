// Removes what a contributor says about themselves.

import type { WriteContext } from '../changes/write.ts';
import { deleteProfile } from '../profiles/profile.ts';
import { requireSignedIn } from '../viewer.ts';
import { recordDecision } from './record-decision.ts';
import { authorizeRenaming } from './rename.ts';

/** The words, the links and the pinned projects: allowed to those who may change the names. */
export async function removeProfile(write: WriteContext, contributor: number): Promise<void> {
  const { transaction, changeSet, viewer, reason } = write;
  await authorizeRenaming(write, contributor);
  await deleteProfile(transaction, changeSet, contributor);
  const moderator = requireSignedIn(viewer);
  await recordDecision(transaction, changeSet, { moderator, action: 'changed', contributor, reason });
}
