// How somebody who is nobody here becomes a contributor.

import sql from 'sql-template-tag';
import { Forbidden, Invalid } from '../../errors.ts';
import { absent, type Fields, Refused, textField, type Values } from '../../fields.ts';
import { transact } from '../changes/transact.ts';
import { limits, usernameKey, usernamePattern } from '../contributors/contributor.ts';
import { insertAccount, insertContributor, type Names, taken } from './change.ts';
import { takeInvitation } from './invitations.ts';
import { passwordChosen, wrongFor } from './passwords.ts';
import { hashOf } from './secret.ts';
import type { SignInParts } from './sign-in.ts';

type SignUpPolicy = 'open' | 'invitation' | 'closed';

const username = textField({
  ...{ label: 'Username', autocomplete: 'username', required: true },
  ...{ most: limits.username, oneLine: true },
});

/** A name that somebody may choose: what addresses and filters use for something else is none. */
export const usernameChosen = {
  ...username,
  help: `At most ${limits.username} letters, digits and @ . + - _.`,
  read(value: unknown): string {
    const name = username.read(value).normalize('NFKC');
    if (!usernamePattern.test(name) || [...name].length > limits.username)
      throw new Refused(
        'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
      );
    if (/^\d+$/.test(name) || name.toLowerCase() === 'me')
      throw new Refused('This name is taken by the site itself: choose another.');
    return name;
  },
};

export const nameFields = {
  first_name: textField({
    label: 'First name',
    autocomplete: 'given-name',
    most: limits.name,
    blank: true,
    oneLine: true,
  }),
  last_name: textField({
    label: 'Last name',
    autocomplete: 'family-name',
    most: limits.name,
    blank: true,
    oneLine: true,
  }),
};

export const signUpFields = {
  username: usernameChosen,
  password: passwordChosen('Password'),
  ...nameFields,
  invitation: textField({
    label: 'Invitation',
    help: 'Where sign-up is by invitation.',
    most: 200,
    oneLine: true,
    blank: true,
  }),
} satisfies Fields;

export interface SignUpParts extends SignInParts {
  readonly signUp: SignUpPolicy;
}

/** Before anybody fills in a form. */
export function demandSignUp(policy: SignUpPolicy): void {
  if (policy === 'closed')
    throw new Forbidden('Sign-up is closed: ask the people who run this site for an account.');
}

/** The new contributor's id and names. */
export async function signUp(
  { database, passwords, guesses, signUp: policy }: SignUpParts,
  wish: Values<typeof signUpFields>,
  address: string,
): Promise<Names & { readonly id: number }> {
  demandSignUp(policy);
  const { username = '', password = '', first_name = '', last_name = '', invitation = '' } = wish;
  const names = { username, first_name, last_name };
  const invited = policy === 'invitation';
  const wrong = {
    username: (await database.first(
      sql`select id from contributor where username_key = ${usernameKey(username)} limit 1`,
    ))
      ? taken
      : undefined,
    password: wrongFor(username, password),
    invitation: invited && invitation === '' ? absent : undefined,
  };
  const sentences = Object.entries(wrong).flatMap(([name, sentence]) =>
    sentence ? [[name, [sentence]]] : [],
  );
  if (sentences.length) throw new Invalid(Object.fromEntries(sentences));

  await guesses.beginSignUp(address);
  const unknown = new Invalid({
    invitation: ['This invitation is not valid: it was used, or it is too old.'],
  });
  // Whoever has none does not make us hash.
  if (invited && !(await database.first(sql`select hash from invitation where hash = ${hashOf(invitation)}`)))
    throw unknown;
  const hash = await passwords.hash(password);
  const id = await transact(database, null, async (transaction, changeSet) => {
    if (invited && !(await takeInvitation(transaction, invitation))) throw unknown;
    const made = await insertContributor(transaction, changeSet, names);
    await insertAccount(transaction, changeSet, made, 'contributor', hash);
    return made;
  });
  return { id, ...names };
}
