// Keeping somebody out, and letting them in again.

import { Forbidden, NotFound } from '../../errors.ts';
import { choiceField, type Fields } from '../../fields.ts';
import { type Person, personOf } from '../accounts/account.ts';
import { disabled, enabled } from '../accounts/change.ts';
import { authorize, can } from '../permissions.ts';
import { signedIn, type WriteContext } from '../projects/change.ts';
import type { Role, Viewer } from '../viewer.ts';
import { whyFields } from './decision.ts';

export const accountStates = ['open', 'disabled'] as const;

export const accountFields = {
  state: choiceField('State', { open: 'open', disabled: 'disabled' }, { required: true }),
  ...whyFields,
} satisfies Fields;

/** Admins' accounts are the operator's. */
const inReach: Readonly<Record<Role, readonly Role[]>> = {
  contributor: [],
  moderator: ['contributor'],
  admin: ['contributor', 'moderator'],
};

export function mayDisable(viewer: Viewer, { id, role }: Pick<Person, 'id' | 'role'>): boolean {
  return role !== null && can(viewer, 'disableAccount', id) && inReach[viewer.role].includes(role);
}

/** Nothing is written down where it is so already. */
export async function setState(
  write: WriteContext,
  contributor: number,
  state: (typeof accountStates)[number] | undefined,
): Promise<void> {
  const person = await within(write, contributor);
  if ((person.disabled === null) === (state === 'open')) return;
  const { transaction, changeSet, viewer, reason } = write;
  const judged = { moderator: signedIn(viewer), contributor, reason };
  await (state === 'disabled' ? disabled : enabled)(transaction, changeSet, judged);
}

/** The account, if it is for this reader to open and shut; one that an import brought may not be there. */
async function within({ transaction, viewer }: WriteContext, contributor: number): Promise<Person> {
  const person = await personOf(transaction, contributor);
  if (!person || person.role === null) throw new NotFound();
  authorize(viewer, 'disableAccount', contributor);
  if (!mayDisable(viewer, person)) throw new Forbidden();
  return person;
}
