// Removes what a contributor shows about themselves. Those who may change the names may do this.

import type { WriteContext } from '../changes/write.ts';
import { recordDecision } from '../decisions/record-decision.ts';
import { replaceAvatar } from '../profiles/avatar.ts';
import { deleteProfile } from '../profiles/profile.ts';
import { requireSignedIn } from '../viewer.ts';
import { authorizeRenaming } from './rename.ts';

/** The words, the links and the pinned projects. */
export async function removeProfile(write: WriteContext, contributor: number): Promise<void> {
  await authorizeRenaming(write, contributor);
  await deleteProfile(write.transaction, write.changeSet, contributor);
  await recordRemoval(write, contributor);
}

export async function removeAvatar(write: WriteContext, contributor: number): Promise<void> {
  await authorizeRenaming(write, contributor);
  await replaceAvatar(write.transaction, write.changeSet, contributor, []);
  await recordRemoval(write, contributor);
}

async function recordRemoval(
  { transaction, changeSet, viewer, reason }: WriteContext,
  contributor: number,
): Promise<void> {
  const moderator = requireSignedIn(viewer);
  await recordDecision(transaction, changeSet, { moderator, action: 'changed', contributor, reason });
}
