// Creates an account for a visitor.

import sql from 'sql-template-tag';
import { apiText, type Text } from '#common/api-text.ts';
import { Forbidden, Invalid } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { isLongerThan, normalizeText } from '#common/text-rules.ts';
import { type Field, type Fields, requiredText, textField, type Values } from '#rest/fields.ts';
import { exists, type Reader } from '#sql';
import { insertAccount, insertContributor, usernameTaken } from '../../core/accounts/change-account.ts';
import type { SignUpDependencies } from '../../core/accounts/dependencies.ts';
import { findPasswordProblem, newPasswordField } from '../../core/accounts/passwords.ts';
import type { SignUpRules } from '../../core/accounts/sign-up-rules.ts';
import { transact, type Write } from '../../core/changes/transact.ts';
import {
  findNameProblem,
  findUsernameImitation,
  hasAddress,
  isAddress,
  reservedNameMessage,
} from '../../core/contributors/allowed-names.ts';
import {
  type ContributorNames,
  contributorLimits,
  usernameKey,
  usernamePattern,
} from '../../core/contributors/contributor.ts';
import { changeEmail, type EmailRequest, emailField, noMail } from './email/email.ts';
import { checkInvitation, invalidInvitation, redeemInvitation } from './invitation.ts';
import { requirePasswords, usernameField } from './sign-in.ts';

/** Excludes names that paths and filters use for something else. */
export const newUsernameField = {
  ...usernameField,
  help: apiText('usernameHelp'),
  read(value: unknown): string {
    const name = normalizeText(usernameField.read(value), 'NFKC');
    if (!usernamePattern.test(name) || isLongerThan(name, contributorLimits.username))
      throw new InvalidValue(apiText('usernameInvalid'));
    if (/^\d+$/.test(name) || name.toLowerCase() === 'me') throw new InvalidValue(reservedNameMessage);
    if (isAddress(name)) throw new InvalidValue(apiText('nameAddress'));
    return name;
  },
};

const nameField = (label: Text, autocomplete: string) => {
  const field = textField({
    label,
    autocomplete,
    maxLength: contributorLimits.name,
    allowsBlank: true,
    isSingleLine: true,
  });
  return {
    ...field,
    read(value: unknown): string {
      const name = field.read(value);
      if (hasAddress(name)) throw new InvalidValue(apiText('nameAddress'));
      return name;
    },
  };
};

export const nameFields = {
  first_name: nameField(apiText('firstName'), 'given-name'),
  last_name: nameField(apiText('lastName'), 'family-name'),
};

export const signUpFields = {
  username: newUsernameField,
  password: newPasswordField(apiText('password')),
  ...nameFields,
  email: emailField,
  invitation: textField({
    label: apiText('invitation'),
    help: 'Needed if sign-up is by invitation only.',
    maxLength: 200,
    isSingleLine: true,
    allowsBlank: true,
  }),
} satisfies Fields;

const omitPassword = <F extends { password: unknown }>({ password: _, ...others }: F) => others;

/** For somebody who has signed in elsewhere. */
export const newPersonFields = omitPassword(signUpFields);

/** How the new person will sign in: with a password, or elsewhere. */
type NewCredential =
  | { readonly password: string }
  | { link(write: Write, contributor: number): Promise<void> };

/** Throws before anybody fills in the form. An invitation lets in where sign-up is closed. */
export function requireSignUpOpen({ policy }: SignUpRules, invitation = ''): void {
  if (policy === 'closed' && invitation === '') throw new Forbidden(apiText('signUpClosed'));
}

/** A name of several words becomes one. */
export const toUsername = (name: string): string => name.trim().replace(/\s+/g, '.');

/** The value of a field from a text that nobody has typed here; empty if the field does not take it. */
export function readSuggestion(field: Field<string>, text: string): string {
  try {
    return field.read(text);
  } catch (error) {
    if (error instanceof InvalidValue) return '';
    throw error;
  }
}

/** A username made of what somebody is called elsewhere, which may be an email address. */
export const suggestUsername = (name: string): string =>
  readSuggestion(newUsernameField, toUsername(name.split('@', 1)[0] ?? ''));

/** Up to three usernames like this one that are free. */
export async function suggestUsernames(reader: Reader, username: string): Promise<string[]> {
  const candidates = ['2', '7', '-maker', '-42', '.99'].map((ending) => username + ending);
  const free: string[] = [];
  for (const candidate of candidates) {
    const isValid = usernamePattern.test(candidate) && !isLongerThan(candidate, contributorLimits.username);
    if (isValid && free.length < 3 && !(await findUsernameProblem(reader, candidate))) free.push(candidate);
  }
  return free;
}

/** Why nobody else than the contributor with the id may have this username. */
export async function findUsernameProblem(reader: Reader, username: string, ownId = 0) {
  const isTaken = sql`from contributor where username_key = ${usernameKey(username)} and id <> ${ownId}`;
  if (await exists(reader, isTaken)) return usernameTaken;
  return findUsernameImitation(reader, username, ownId);
}

export async function signUp(
  deps: SignUpDependencies,
  rules: SignUpRules,
  values: Values<typeof newPersonFields> & NewCredential,
  { client, language }: Pick<EmailRequest, 'client' | 'language'>,
): Promise<ContributorNames & { readonly id: number }> {
  const { database, passwords, attempts, sendsMail } = deps;
  const { username, first_name = '', last_name = '', invitation = '', email = '' } = values;
  const password = 'password' in values ? values.password : undefined;
  if (password !== undefined) requirePasswords(deps);
  requireSignUpOpen(rules, invitation);
  const names = { username, first_name, last_name };
  const needsInvitation = rules.policy !== 'open';
  const problems = {
    username: await findUsernameProblem(database, username),
    first_name: await findNameProblem(database, names, { id: 0, isModerator: false }),
    password: password === undefined ? undefined : findPasswordProblem(names, password),
    invitation: needsInvitation && invitation === '' ? requiredText : undefined,
    email: email !== '' && !sendsMail ? noMail : undefined,
  };
  const messages = Object.entries(problems).flatMap(([name, sentence]) =>
    sentence ? [[name, [sentence]]] : [],
  );
  if (messages.length) throw new Invalid(Object.fromEntries(messages));

  await attempts.countSignUp(client.address);
  if (email !== '') await attempts.countMail(email, undefined, client.address);
  const refusal = new Invalid({ invitation: [invalidInvitation] });
  // Checked before the slow hash.
  const isInvited = invitation !== '' && (await checkInvitation(deps, invitation, client));
  if (needsInvitation && !isInvited) throw refusal;
  const { address } = client;
  const turn = { isKnown: false, name: '', address };
  const hash = password === undefined ? null : await passwords.hash(password, turn);
  const id = await transact(database, null, async (write) => {
    const { transaction } = write;
    const contributor = await insertContributor(write, names, rules.shownName);
    // Where anybody may sign up, one that is not valid does no harm.
    const isRedeemed = isInvited && (await redeemInvitation(transaction, invitation, contributor));
    if (needsInvitation && !isRedeemed) throw refusal;
    // Checked again: somebody else may have signed up meanwhile.
    const problem = await findUsernameImitation(transaction, username, contributor);
    if (problem) throw new Invalid({ username: [problem] });
    await insertAccount(write, contributor, 'contributor', hash);
    if ('link' in values) await values.link(write, contributor);
    if (email !== '') await changeEmail(write, contributor, email, language);
    return contributor;
  });
  return { id, ...names };
}
