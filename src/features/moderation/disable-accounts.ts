// Disables and enables accounts.

import sql from 'sql-template-tag';
import { Forbidden } from '#common/errors.ts';
import { choiceField, type Fields } from '#rest/fields.ts';
import { type AccountDetails, lockAccount, requireAccount } from '../../core/accounts/account.ts';
import {
  disableInTransaction,
  enableInTransaction,
  updateInTransaction,
} from '../../core/accounts/change-account.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { findActiveDecision, optionalReasonFields, recordDecision } from '../../core/decisions/decision.ts';
import { authorize, can, canManageRole } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';

export const accountStates = ['open', 'disabled'] as const;

export const accountFields = {
  state: choiceField('State', { open: 'open', disabled: 'disabled' }, { required: true }),
  ...optionalReasonFields,
} satisfies Fields;

export const canDisable = (viewer: Viewer, { id, role }: Pick<AccountDetails, 'id' | 'role'>): boolean =>
  role !== null && can(viewer, 'disableAccount', id) && canManageRole(viewer, role);

/** Records nothing if the account already has the state. */
export async function setAccountState(
  write: WriteContext,
  contributor: number,
  state: (typeof accountStates)[number] | undefined,
): Promise<void> {
  const account = await findManageableAccount(write, contributor);
  if ((account.disabled === null) === (state === 'open')) return;
  const { viewer, reason } = write;
  const decision = { moderator: requireSignedIn(viewer), contributor, reason };
  await (state === 'disabled' ? disableInTransaction : enableInTransaction)(write, decision);
}

/** Whether what the person publishes appears without a review. Records nothing if that is so already. */
export async function setTrust(write: WriteContext, contributor: number, isTrusted: boolean): Promise<void> {
  const { transaction, viewer, reason } = write;
  authorize(viewer, 'trustPeople', contributor);
  await lockAccount(transaction, contributor);
  const { trusted } = await requireAccount(transaction, contributor);
  if (trusted === Number(isTrusted)) return;
  await updateInTransaction(write, contributor, 'trusted', sql`trusted = ${Number(isTrusted)}`);
  const undone = isTrusted
    ? undefined
    : await findActiveDecision(transaction, 'trusted', { project: null, contributor });
  await recordDecision(write, {
    moderator: requireSignedIn(viewer),
    contributor,
    reason,
    action: isTrusted ? 'trusted' : 'untrusted',
    undoes: undone?.id ?? null,
  });
}

/** The account, if the viewer may manage it. An imported decision may refer to a missing account. */
async function findManageableAccount({ transaction, viewer }: WriteContext, contributor: number) {
  // First: the viewer's own account, which nobody may disable, would be locked twice.
  authorize(viewer, 'disableAccount', contributor);
  await lockAccount(transaction, contributor);
  const account = await requireAccount(transaction, contributor);
  if (!canDisable(viewer, account)) throw new Forbidden();
  return account;
}
