// Checks a name and a password. An unknown name, an account without a password and a disabled account get the same
// response, after the same work.

import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid, SecondFactorMissing, SecondFactorNeeded } from '#common/errors.ts';
import { type Fields, readFields, requiredText, textField, type Values } from '#rest/fields.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { type Database, first, pick } from '#sql';
import { type AccountDetails, findAccount, findAccountByUsername } from '../../core/accounts/account.ts';
import { reportAccountEvent, reportFailures } from '../../core/accounts/account-events.ts';
import { rehashPassword, setPassword } from '../../core/accounts/change-account.ts';
import { needsSecondFactor, type SignInDependencies } from '../../core/accounts/dependencies.ts';
import {
  currentPasswordField,
  findPasswordProblem,
  newPasswordField,
  type PasswordCheck,
  type Passwords,
} from '../../core/accounts/passwords.ts';
import type { SignedInAccount } from '../../core/accounts/sessions.ts';
import type { Client, SignInAttempt, SignInAttempts } from '../../core/accounts/sign-in-attempts.ts';
import { sessionTable } from '../../core/accounts/tables.ts';
import { contributorLimits, toFullNames } from '../../core/contributors/contributor.ts';
import { microsecondsPerSecond, now } from '../../core/instant.ts';
import type { ViewerAuthenticator } from '../../core/viewer/authenticator.ts';
import { type Role, requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { findSecondFactor } from './second-factor/second-factor.ts';

export const usernameField = textField({
  label: apiText('username'),
  autocomplete: 'username',
  required: true,
  maxLength: contributorLimits.username,
  isSingleLine: true,
});

export const credentialFields = {
  username: usernameField,
  password: currentPasswordField(apiText('password')),
} satisfies Fields;

export const newPasswordFields = {
  old_password: currentPasswordField(apiText('oldPassword')),
  new_password: newPasswordField(apiText('newPassword')),
} satisfies Fields;

/** Throws SecondFactorNeeded or SecondFactorMissing if the password is right but not enough. */
export async function signIn(
  deps: SignInDependencies,
  username: string,
  password: string,
  client: Client,
): Promise<SignedInAccount> {
  requirePasswords(deps);
  const account = await findAccountByUsername(deps.database, username);
  const passwordHash = await verifyPassword(deps, account, account?.username ?? username, password, client);
  if (passwordHash === undefined || !account)
    throw new Invalid({ non_field_errors: ['Unable to log in with provided credentials.'] });
  return finishFirstStep(deps, account.role, { id: account.id, passwordHash });
}

export function requirePasswords({ allowsPasswords }: Pick<SignInDependencies, 'allowsPasswords'>): void {
  if (!allowsPasswords) throw new Forbidden(apiText('noPasswords'));
}

/** Throws SecondFactorNeeded or SecondFactorMissing if the first step is not enough. */
export async function finishFirstStep(
  { database, ...policy }: Pick<SignInDependencies, 'database' | 'requiresSecondFactor'>,
  role: Role | null,
  account: SignedInAccount,
): Promise<SignedInAccount> {
  const { id } = account;
  if (await findSecondFactor(database, id)) throw new SecondFactorNeeded(account);
  if (needsSecondFactor(policy, role)) {
    reportAccountEvent(database, { event: 'second factor missing', actor: null, contributor: id });
    throw new SecondFactorMissing(account);
  }
  reportAccountEvent(database, { event: 'signed in', actor: id, contributor: id });
  return { ...account, hasSecondFactor: false };
}

/** Asks for the old password, so that a stolen session is not enough to take over the account. */
async function changePassword(
  deps: SignInDependencies,
  contributor: number,
  passwords: { readonly old: string; readonly chosen: string },
  client: Client,
): Promise<SignedInAccount> {
  requirePasswords(deps);
  const account = await findAccount(deps.database, contributor);
  const problem = account && findPasswordProblem(toFullNames(account), passwords.chosen);
  if (problem) throw new Invalid({ new_password: [problem] });
  if (!(await verifyPassword(deps, account, account?.username ?? '', passwords.old, client)))
    throw new Invalid({ old_password: [apiText('oldPasswordWrong')] });
  const hash = await deps.passwords.hash(passwords.chosen);
  await setPassword(deps.database, contributor, contributor, hash);
  return { id: contributor, passwordHash: hash };
}

/** It ends all sessions and keys. Returns the cookies of a new session if the viewer had one. */
export async function changeOwnPassword(
  {
    accounts,
    authenticator,
  }: { readonly accounts: SignInDependencies; readonly authenticator: ViewerAuthenticator },
  { headers, origin, client }: Pick<RequestContext, 'headers' | 'origin' | 'client'>,
  viewer: Viewer,
  { old_password: old, new_password: chosen }: Values<typeof newPasswordFields>,
): Promise<string[]> {
  const contributor = requireSignedIn(viewer);
  const account = await changePassword(accounts, contributor, { old, chosen }, client);
  if (viewer.credential?.kind !== 'session') return [];
  return (await authenticator.startSession(headers, origin, account)).cookies;
}

/**
 * Confirms an irreversible operation with the password, which somebody else at the same screen does not know. Returns
 * the hash; undefined for an account without a password that signs in here.
 */
export async function confirmPassword(
  deps: SignInDependencies,
  contributor: number,
  password: string | undefined,
  client: Client,
): Promise<string | undefined> {
  const account = await findAccount(deps.database, contributor);
  if (!account?.password || !deps.allowsPasswords) return undefined;
  if (password === undefined) throw new Invalid({ password: [requiredText] });
  const passwordHash = await verifyPassword(deps, account, account.username, password, client);
  if (passwordHash === undefined) throw new Invalid({ password: [apiText('passwordWrong')] });
  return passwordHash;
}

/** Returns the hash of the password, or undefined if the password is wrong. A wrong or refused one is logged. */
const verifyPassword = (
  deps: SignInDependencies,
  account: AccountDetails | undefined,
  ...credentials: [username: string, password: string, client: Client]
): Promise<string | undefined> =>
  reportFailures(deps.database, account?.id ?? null, 'password', () =>
    findVerifiedHash(deps, account, ...credentials),
  );

async function findVerifiedHash(
  { database, passwords, attempts }: SignInDependencies,
  account: AccountDetails | undefined,
  username: string,
  password: string,
  client: Client,
): Promise<string | undefined> {
  const sender = { name: username, contributor: account?.id, client };
  const turn = await attempts.requireRoom(sender);
  // Counted only in its turn: many people who sign in at once at one address, all with the right password, would
  // otherwise count against each other while they wait.
  const { isCorrect, needsRehash } = await passwords.inTurn(turn, async () => {
    const attempt = await attempts.begin(sender);
    const check = await checkPassword(passwords, attempts, attempt, password, account?.password ?? null);
    if (check.isCorrect && account?.disabled === null) await attempts.succeed(attempt);
    return check;
  });
  if (!isCorrect || !account?.password || account.disabled !== null) return undefined;
  return needsRehash ? rehash(database, passwords, account, password) : account.password;
}

/** Another sign-in may have replaced the hash at the same time: then that one is checked and returned. */
async function rehash(database: Database, passwords: Passwords, account: AccountDetails, password: string) {
  const newHash = await passwords.hash(password);
  await rehashPassword(database, account, newHash);
  const storedHash = (await findAccount(database, account.id))?.password ?? undefined;
  if (storedHash === undefined || storedHash === newHash) return storedHash;
  return (await passwords.check(password, storedHash)).isCorrect ? storedHash : undefined;
}

async function checkPassword(
  passwords: Passwords,
  attempts: SignInAttempts,
  attempt: SignInAttempt,
  password: string,
  hash: string | null,
): Promise<PasswordCheck> {
  try {
    return await passwords.checkNow(password, hash);
  } catch (error) {
    await attempts.cancel(attempt);
    throw error;
  }
}

// Changes of the ways to sign in, and of where events are sent, need the password, or a session that has just begun: a
// session that was left open is not enough.

const beginningColumns = pick(sessionTable.columns, 'created', 'linked_account');
const recentSeconds = 10 * 60;

export const confirmationFields = { password: currentPasswordField(apiText('password')) } satisfies Fields;

/** For the API, which does not know when the session began. */
export const optionalConfirmationFields = {
  password: {
    ...confirmationFields.password,
    required: false,
    help: 'Only needed if you signed in more than ten minutes ago.',
  },
} as const satisfies Fields;

/** Of somebody with a password, only with that or a passkey: elsewhere they may still have been signed in. */
export async function hasSignedInRecently(
  { database, allowsPasswords }: SignInDependencies,
  { credential, contributor }: Viewer,
): Promise<boolean> {
  if (credential?.kind !== 'session' || contributor === null) return false;
  const session = await first(database, beginningColumns)`from session where hash = ${credential.id}`;
  if (!session || session.created <= now() - recentSeconds * microsecondsPerSecond) return false;
  if (session.linked_account === null || !allowsPasswords) return true;
  return !(await findAccount(database, contributor))?.password;
}

/** Throws unless it is the viewer; the password may be among the values of the form. */
export async function confirmIdentity(
  deps: SignInDependencies,
  viewer: Viewer,
  data: Readonly<Record<string, unknown>>,
  client: Client,
): Promise<void> {
  if (viewer.credential?.kind !== 'session') throw new Forbidden(apiText('keyMayNot'));
  if (await hasSignedInRecently(deps, viewer)) return;
  const contributor = requireSignedIn(viewer);
  const account = await findAccount(deps.database, contributor);
  if (!account?.password || !deps.allowsPasswords) throw new Forbidden(apiText('signInAgain'));
  await confirmPassword(deps, contributor, readFields(confirmationFields, data).password, client);
}

/**
 * Asks for the password in any case. Without a password that signs in here, the session must have just begun. Returns the
 * hash of the password, if there is one.
 */
export async function confirmPasswordOrSession(
  deps: SignInDependencies,
  viewer: Viewer,
  password: string | undefined,
  client: Client,
): Promise<string | undefined> {
  const passwordHash = await confirmPassword(deps, requireSignedIn(viewer), password, client);
  if (passwordHash === undefined) await confirmIdentity(deps, viewer, {}, client);
  return passwordHash;
}
