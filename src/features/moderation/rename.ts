// Changes the names of a contributor who was reported, or whom a moderator found.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, Forbidden, Invalid, NotFound } from '#common/errors.ts';
import { exists } from '#sql';
import { type AccountDetails, findAccount } from '../../core/accounts/account.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { replaceAvatar } from '../../core/contributors/avatar.ts';
import type { FullContributor } from '../../core/contributors/contributor.ts';
import { lockContributor } from '../../core/contributors/find-contributors.ts';
import { optionalReasonFields, recordDecision } from '../../core/decisions/decision.ts';
import { authorize, can, canManageRole } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { deleteProfile } from '../../projects/people/profile.ts';
import { changeNames, type NewNames } from '../../projects/people/rename.ts';
import { findUsernameProblem, nameFields, newUsernameField } from '../sign-in/sign-up.ts';
import { closeNameReports } from './name-report.ts';

/** The fields of a form, or of a PATCH: names that are not sent stay. */
export const renameFields = { username: newUsernameField, ...nameFields, ...optionalReasonFields };

/** The person signs in with the new username from now on. Call `finishUpdates` afterwards. */
export async function renameAsModerator(
  write: WriteContext,
  id: number,
  names: NewNames,
): Promise<FullContributor> {
  const account = await authorizeRenaming(write, id);
  const { username = account.username } = names;
  if (account.looked_after_by !== null && (names.first_name || names.last_name))
    throw new Conflict(apiText('lookedAfterRole'));
  const problem =
    username === account.username ? undefined : await findUsernameProblem(write.transaction, username, id);
  if (problem) throw new Invalid({ username: [problem] });
  const isModerator = account.role !== null && account.role !== 'contributor';
  const { before, after } = await changeNames(write, id, names, isModerator);
  if (before !== after) await decideOnName(write, id, 'renamed');
  return after;
}

/** Leaves the name as it is. */
export async function leaveName(write: WriteContext, id: number): Promise<void> {
  const { transaction } = write;
  // A concurrent decision waits here.
  await lockContributor(transaction, id);
  await authorizeRenaming(write, id);
  const isOpen = sql`from name_report where contributor = ${id} and decision is null`;
  if (!(await exists(transaction, isOpen))) throw new Conflict(apiText('alreadyDecided'));
  await decideOnName(write, id, 'left');
}

/** Admins also rename moderators. Contributors without an account come from an import. */
export const canRename = (viewer: Viewer, { id, role }: Pick<AccountDetails, 'id' | 'role'>): boolean =>
  can(viewer, 'renameOthers', id) && (role === null || canManageRole(viewer, role));

async function authorizeRenaming({ transaction, viewer }: WriteContext, id: number): Promise<AccountDetails> {
  authorize(viewer, 'renameOthers', id);
  const account = await findAccount(transaction, id);
  if (!account) throw new NotFound();
  if (!canRename(viewer, account)) throw new Forbidden();
  return account;
}

async function decideOnName(write: WriteContext, contributor: number, action: 'renamed' | 'left') {
  const { viewer, reason } = write;
  const moderator = requireSignedIn(viewer);
  const { id } = await recordDecision(write, { moderator, action, contributor, reason });
  await closeNameReports(write, contributor, id);
}

// Removes what a contributor shows about themselves. Those who may change the names may do this.

/** The words, the links and the pinned projects. */
export async function removeProfile(write: WriteContext, contributor: number): Promise<void> {
  await authorizeRenaming(write, contributor);
  await deleteProfile(write, contributor);
  await recordRemoval(write, contributor);
}

export async function removeAvatar(write: WriteContext, contributor: number): Promise<void> {
  await authorizeRenaming(write, contributor);
  await replaceAvatar(write, contributor, []);
  await recordRemoval(write, contributor);
}

async function recordRemoval(write: WriteContext, contributor: number): Promise<void> {
  const { viewer, reason } = write;
  const moderator = requireSignedIn(viewer);
  await recordDecision(write, { moderator, action: 'changed', contributor, reason });
}
