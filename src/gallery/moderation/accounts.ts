// Disables and enables accounts.

import { Forbidden, NotFound } from '../../common/errors.ts';
import { choiceField, type Fields } from '../../common/fields.ts';
import { type AccountDetails, findAccount, lockAccount } from '../accounts/account.ts';
import { disableInTransaction, enableInTransaction } from '../accounts/change.ts';
import type { WriteContext } from '../changes/write.ts';
import { optionalReasonFields } from '../decisions/decision.ts';
import { authorize, can, canManageRole } from '../permissions.ts';
import { requireSignedIn, type Viewer } from '../viewer.ts';

export const accountStates = ['open', 'disabled'] as const;

export const accountFields = {
  state: choiceField('State', { open: 'open', disabled: 'disabled' }, { required: true }),
  ...optionalReasonFields,
} satisfies Fields;

export function canDisable(viewer: Viewer, { id, role }: Pick<AccountDetails, 'id' | 'role'>): boolean {
  return role !== null && can(viewer, 'disableAccount', id) && canManageRole(viewer, role);
}

/** Records nothing if the account already has the state. */
export async function setAccountState(
  write: WriteContext,
  contributor: number,
  state: (typeof accountStates)[number] | undefined,
): Promise<void> {
  const account = await findManageableAccount(write, contributor);
  if ((account.disabled === null) === (state === 'open')) return;
  const { transaction, changeSet, viewer, reason } = write;
  const decision = { moderator: requireSignedIn(viewer), contributor, reason };
  await (state === 'disabled' ? disableInTransaction : enableInTransaction)(transaction, changeSet, decision);
}

/** The account, if the viewer may manage it. An imported decision may refer to a missing account. */
async function findManageableAccount(
  { transaction, viewer }: WriteContext,
  contributor: number,
): Promise<AccountDetails> {
  // First: the viewer's own account, which nobody may disable, would be locked twice.
  authorize(viewer, 'disableAccount', contributor);
  await lockAccount(transaction, contributor);
  const account = await findAccount(transaction, contributor);
  if (!account || account.role === null) throw new NotFound();
  if (!canDisable(viewer, account)) throw new Forbidden();
  return account;
}
