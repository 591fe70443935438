// Admins change the roles of people.

import { Forbidden } from '#common/errors.ts';
import { requireAccount } from '../../core/accounts/account.ts';
import { setRoleInTransaction } from '../../core/accounts/change-account.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { type Role, requireSignedIn } from '../../core/viewer/viewer.ts';

/** Records nothing if the account has the role already. */
export async function changeRole(write: WriteContext, contributor: number, role: Role): Promise<void> {
  const { transaction, viewer, reason } = write;
  const moderator = requireSignedIn(viewer);
  authorize(viewer, 'changeRole', contributor);
  await transaction.lockChangeLog();
  // Another admin may have taken the role away while this one waited.
  if ((await requireAccount(transaction, moderator)).role !== 'admin') throw new Forbidden();
  await setRoleInTransaction(write, { moderator, contributor, reason }, role);
}
