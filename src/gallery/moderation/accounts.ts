// Keeping somebody out, and letting them in again.

import { Forbidden, NotFound } from '../../errors.ts';
import { type Person, personOf } from '../accounts/account.ts';
import { disabled, enabled } from '../accounts/change.ts';
import { demand, may } from '../permissions.ts';
import { type Act, signedIn } from '../projects/change.ts';
import type { Reader, Role } from '../readers.ts';

/** Admins' accounts are the operator's. */
const inReach: Readonly<Record<Role, readonly Role[]>> = {
  contributor: [],
  moderator: ['contributor'],
  admin: ['contributor', 'moderator'],
};

export function mayDisable(reader: Reader, { id, role }: Pick<Person, 'id' | 'role'>): boolean {
  return role !== null && may(reader, 'disableAccount', id) && inReach[reader.role].includes(role);
}

export async function disableAccount(act: Act, contributor: number): Promise<void> {
  const person = await within(act, contributor);
  if (person.disabled === null) await disabled(act.transaction, act.notes, judged(act, contributor));
}

export async function enableAccount(act: Act, contributor: number): Promise<void> {
  const person = await within(act, contributor);
  if (person.disabled !== null) await enabled(act.transaction, act.notes, judged(act, contributor));
}

const judged = ({ reader, reason }: Act, contributor: number) => ({
  ...{ moderator: signedIn(reader), contributor, reason },
});

/** The account, if it is for this reader to open and shut; one that an import brought may not be there. */
async function within({ transaction, reader }: Act, contributor: number): Promise<Person> {
  const person = await personOf(transaction, contributor);
  if (!person || person.role === null) throw new NotFound();
  demand(reader, 'disableAccount', contributor);
  if (!mayDisable(reader, person)) throw new Forbidden();
  return person;
}
