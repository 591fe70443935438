// Creates an account for a visitor.

import sql from 'sql-template-tag';
import { apiText, type Text } from '../../common/api-text.ts';
import { Forbidden, Invalid } from '../../common/errors.ts';
import { type Fields, requiredText, textField, type Values } from '../../common/fields.ts';
import { InvalidValue } from '../../common/inputs.ts';
import { isLongerThan, normalizeText } from '../../common/text-rules.ts';
import type { Database, Reader, Transaction } from '../../database/database.ts';
import { executeReturning, exists } from '../../database/query.ts';
import { invitationTable } from '../../database/schema.ts';
import { insertAccount, insertContributor, usernameTaken } from '../accounts/change.ts';
import { findPasswordProblem, newPasswordField } from '../accounts/passwords.ts';
import { hashSecret, newSecret } from '../accounts/secret.ts';
import { transact } from '../changes/transact.ts';
import {
  type ContributorNames,
  contributorLimits,
  usernameKey,
  usernamePattern,
} from '../contributors/contributor.ts';
import {
  findNameProblem,
  findUsernameImitation,
  hasAddress,
  isAddress,
  reservedNameMessage,
} from '../contributors/new-names.ts';
import { addDays, type Instant, now } from '../instant.ts';
import { changeEmail, type EmailDependencies, type EmailRequest, emailField, noMail } from './email.ts';
import { usernameField } from './sign-in.ts';
import type { SignUpOptions, SignUpRules } from './sign-up-rules.ts';

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

export interface SignUpDependencies extends EmailDependencies {
  readonly signUpOptions: SignUpOptions;
}

/** Throws before anybody fills in the form. An invitation lets in where sign-up is closed. */
export function requireSignUpOpen({ policy }: SignUpRules, invitation = ''): void {
  if (policy === 'closed' && invitation === '') throw new Forbidden(apiText('signUpClosed'));
}

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
  { database, passwords, attempts, sendsMail }: SignUpDependencies,
  rules: SignUpRules,
  values: Values<typeof signUpFields>,
  { client, language }: Pick<EmailRequest, 'client' | 'language'>,
): Promise<ContributorNames & { readonly id: number }> {
  const { username, password, first_name = '', last_name = '', invitation = '', email = '' } = values;
  requireSignUpOpen(rules, invitation);
  const names = { username, first_name, last_name };
  const needsInvitation = rules.policy !== 'open';
  const problems = {
    username: await findUsernameProblem(database, username),
    first_name: await findNameProblem(database, names, { id: 0, isModerator: false }),
    password: findPasswordProblem(names, password),
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
  if (needsInvitation && !(await isValidInvitation(database, invitation))) throw refusal;
  const { address } = client;
  const hash = await passwords.hash(password, { isKnown: false, name: '', address });
  const id = await transact(database, null, async (write) => {
    const { transaction } = write;
    // Where anybody may sign up, one that is not valid does no harm.
    const isInvited = invitation !== '' && (await redeemInvitation(transaction, invitation));
    if (needsInvitation && !isInvited) throw refusal;
    const contributor = await insertContributor(write, names, rules.shownName);
    // Checked again: somebody else may have signed up meanwhile.
    const problem = await findUsernameImitation(transaction, username, contributor);
    if (problem) throw new Invalid({ username: [problem] });
    await insertAccount(write, contributor, 'contributor', hash);
    if (email !== '') await changeEmail(write, contributor, email, language);
    return contributor;
  });
  return { id, ...names };
}

// An invitation lets one person sign up, whoever else may.

const lifetimeDays = 14;

/** How many can be created at a time: enough for a class. */
export const maxInvitations = 50;

export interface Invitations {
  readonly secrets: readonly string[];
  readonly expires: Instant;
}

/** `actor` is the contributor who invites: null for the operator. */
export function createInvitations(database: Database, actor: number | null, count = 1): Promise<Invitations> {
  const secrets = Array.from({ length: count }, () => newSecret());
  return transact(database, actor, async ({ transaction, changeSet }) => {
    const expires = addDays(changeSet.at, lifetimeDays);
    const row = { created_by: actor, created: changeSet.at, expires };
    await transaction.insert(
      invitationTable,
      secrets.map((secret) => ({ hash: hashSecret(secret), ...row })),
    );
    for (const _ of secrets)
      changeSet.add({ kind: 'invitation', action: 'created', subject: actor ?? 0, owner: actor });
    return { secrets, expires };
  });
}

export const invalidInvitation = apiText('invitationInvalid');

export const isValidInvitation = (reader: Reader, secret: string): Promise<boolean> =>
  exists(reader, sql`from invitation where ${isRedeemable(secret)}`);

const isRedeemable = (secret: string) => sql`hash = ${hashSecret(secret)} and expires > ${now()}`;

/** Uses the invitation up; false if it was not valid. */
export async function redeemInvitation(transaction: Transaction, secret: string): Promise<boolean> {
  const redeemed = await executeReturning(transaction, invitationTable.columns)`delete from invitation
    where ${isRedeemable(secret)}`;
  return redeemed !== undefined;
}
