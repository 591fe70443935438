// Keeping somebody out, and letting them in again.

import { Forbidden, NotFound } from '../../errors.ts';
import { choiceField, type Fields } from '../../fields.ts';
import { type Person, personOf } from '../accounts/account.ts';
import { disabled, enabled } from '../accounts/change.ts';
import { demand, may } from '../permissions.ts';
import { type Act, signedIn } from '../projects/change.ts';
import type { Reader, Role } from '../readers.ts';
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

export function mayDisable(reader: Reader, { id, role }: Pick<Person, 'id' | 'role'>): boolean {
  return role !== null && may(reader, 'disableAccount', id) && inReach[reader.role].includes(role);
}

/** Nothing is written down where it is so already. */
export async function setState(
  act: Act,
  contributor: number,
  state: (typeof accountStates)[number] | undefined,
): Promise<void> {
  const person = await within(act, contributor);
  if ((person.disabled === null) === (state === 'open')) return;
  const { transaction, notes, reader, reason } = act;
  const judged = { moderator: signedIn(reader), contributor, reason };
  await (state === 'disabled' ? disabled : enabled)(transaction, notes, judged);
}

/** The account, if it is for this reader to open and shut; one that an import brought may not be there. */
async function within({ transaction, reader }: Act, contributor: number): Promise<Person> {
  const person = await personOf(transaction, contributor);
  if (!person || person.role === null) throw new NotFound();
  demand(reader, 'disableAccount', contributor);
  if (!mayDisable(reader, person)) throw new Forbidden();
  return person;
}
