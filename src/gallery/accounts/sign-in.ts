// Whether a name and a password belong together. A name that nobody has, an account without a password and one that
// is disabled are answered alike, after the same work.

import type { Database } from '../../database/open.ts';
import { Invalid } from '../../errors.ts';
import { absent, type Fields, textField } from '../../fields.ts';
import { limits } from '../contributors/contributor.ts';
import { type Person, personNamed, personOf } from './account.ts';
import { renewHash, setPassword } from './change.ts';
import type { Guess, Guesses } from './guesses.ts';
import { type Passwords, passwordChosen, passwordGiven, type Verdict, wrongFor } from './passwords.ts';

export const credentialFields = {
  username: textField({
    ...{ label: 'Username', autocomplete: 'username', required: true },
    ...{ most: limits.username, oneLine: true },
  }),
  password: passwordGiven('Password'),
} satisfies Fields;

export const newPasswordFields = {
  old_password: passwordGiven('Old password'),
  new_password: passwordChosen('New password'),
} satisfies Fields;

export interface SignInParts {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly guesses: Guesses;
}

/** The id of the contributor whose name and password these are. `address` is where the guess comes from. */
export async function signIn(
  parts: SignInParts,
  username: string,
  password: string,
  address: string,
): Promise<number> {
  const person = await personNamed(parts.database, username);
  if (!(await fits(parts, person, person?.username ?? username, password, address)) || !person)
    throw new Invalid({ non_field_errors: ['Unable to log in with provided credentials.'] });
  return person.id;
}

/** Whoever has taken over a session cannot take over the account too: the old password is asked for. */
export async function changePassword(
  parts: SignInParts,
  contributor: number,
  passwords: { readonly old: string; readonly chosen: string },
  address: string,
): Promise<void> {
  const person = await personOf(parts.database, contributor);
  const wrong = wrongFor(person?.username ?? '', passwords.chosen);
  if (wrong) throw new Invalid({ new_password: [wrong] });
  if (!(await fits(parts, person, person?.username ?? '', passwords.old, address)))
    throw new Invalid({
      old_password: ['Your old password was entered incorrectly. Please enter it again.'],
    });
  const hash = await parts.passwords.hash(passwords.chosen);
  await setPassword(parts.database, contributor, contributor, hash);
}

/** What cannot be undone is asked of the person, not of whoever sits at their screen. */
export async function confirmPassword(
  parts: SignInParts,
  contributor: number,
  password: string | undefined,
  address: string,
): Promise<void> {
  const person = await personOf(parts.database, contributor);
  if (!person?.password) return;
  if (password === undefined) throw new Invalid({ password: [absent] });
  if (!(await fits(parts, person, person.username, password, address)))
    throw new Invalid({ password: ['This is not your password.'] });
}

async function fits(
  { database, passwords, guesses }: SignInParts,
  person: Person | undefined,
  username: string,
  password: string,
  address: string,
): Promise<boolean> {
  const guess = await guesses.begin(username, address);
  const { right, outdated } = await checked(passwords, guesses, guess, password, person?.password ?? null);
  if (!right || !person || person.disabled !== null) return false;
  await guesses.right(guess);
  if (outdated) await renewHash(database, person, await passwords.hash(password));
  return true;
}

async function checked(
  passwords: Passwords,
  guesses: Guesses,
  guess: Guess,
  password: string,
  hash: string | null,
): Promise<Verdict> {
  try {
    return await passwords.check(password, hash);
  } catch (error) {
    await guesses.takeBack(guess);
    throw error;
  }
}
