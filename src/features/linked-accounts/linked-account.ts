// A linked account is somebody's account at another site, such as the sign-in service of a school or a learning platform. It
// signs in the contributor to whom it is linked.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid } from '#common/errors.ts';
import {
  all,
  count,
  type Database,
  execute,
  executeAlone,
  exists,
  first,
  one,
  type Reader,
  type Row,
} from '#sql';
import { findAccount } from '../../core/accounts/account.ts';
import type { SignInDependencies } from '../../core/accounts/dependencies.ts';
import type { SignedInAccount } from '../../core/accounts/sessions.ts';
import { linkedAccountTable } from '../../core/accounts/tables.ts';
import { transact, type Write } from '../../core/changes/transact.ts';
import { now } from '../../core/instant.ts';
import { queueNotice } from '../../core/mail/queue.ts';
import { finishFirstStep } from '../sign-in/sign-in.ts';

export type LinkedAccount = Row<typeof linkedAccountTable>;

export const maxLinkedAccounts = 10;

/** The issuer and its name for the person, which OpenID Connect limits to 255 characters, with a space between. */
export const subjectPattern = /^https?:\/\/[\x21-\x7e]{1,500} [\x20-\x7e]{1,255}$/;

export interface PersonNames {
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** Somebody who has just signed in elsewhere. */
export interface ProvenPerson {
  readonly subject: string;
  /** As they are called there: suggestions for a new account. */
  loadNames(): Promise<PersonNames>;
}

/** A site at which people sign in instead of here. */
export interface SignInService {
  /** Its name for people. */
  readonly label: string;
  /** Where to send the browser. The challenge stays with it; the answer is valid for this challenge only. */
  buildSignInUrl(callback: string, challenge: string): Promise<string>;
  /** Checks the answer, with which the browser came back. Throws Invalid, or SignInServiceDown. */
  readAnswer(callback: string, answer: URLSearchParams, challenge: string): Promise<ProvenPerson>;
}

export const issuerOf = ({ subject }: Pick<LinkedAccount, 'subject'>): string =>
  subject.split(' ', 1)[0] ?? '';

export const loadLinkedAccounts = (reader: Reader, contributor: number): Promise<LinkedAccount[]> =>
  all(reader, linkedAccountTable.columns)`from linked_account where contributor = ${contributor} order by id`;

export const loadOwnLinkedAccount = (reader: Reader, id: number, owner: number): Promise<LinkedAccount> =>
  one(reader, linkedAccountTable.columns)`from linked_account where id = ${id} and contributor = ${owner}`;

export const findLinkedAccount = (reader: Reader, subject: string): Promise<LinkedAccount | undefined> =>
  first(reader, linkedAccountTable.columns)`from linked_account where subject = ${subject}`;

/** For its owner, who has proved it. Throws SecondFactorNeeded or SecondFactorMissing if that is not enough. */
export async function signInWithLinkedAccount(
  deps: SignInDependencies,
  { id, contributor }: LinkedAccount,
): Promise<SignedInAccount> {
  const account = await findAccount(deps.database, contributor);
  if (!account || account.disabled !== null) throw new Forbidden(apiText('accountDisabled'));
  await executeAlone(deps.database)`update linked_account set last_used = ${now()} where id = ${id}`;
  return finishFirstStep(deps, account.role, { id: contributor, linkedAccount: id });
}

/** For the owner of the account here, who is signed in. */
export const linkAccount = (database: Database, contributor: number, subject: string): Promise<void> =>
  transact(database, contributor, async (write) => {
    await insertLinkedAccount(write, contributor, subject);
    await queueNotice(write.transaction, contributor, 'linked_account_created');
  });

export async function insertLinkedAccount(
  { transaction, changeSet }: Write,
  contributor: number,
  subject: string,
): Promise<void> {
  await transaction.lockChangeLog();
  const id = await transaction.nextId(linkedAccountTable);
  if (await exists(transaction, sql`from linked_account where subject = ${subject}`))
    throw new Invalid({ non_field_errors: [apiText('accountLinked')] });
  const linked = await count(transaction, sql`from linked_account where contributor = ${contributor}`);
  if (linked >= maxLinkedAccounts)
    throw new Invalid({ non_field_errors: [apiText('maxLinkedAccounts', { max: maxLinkedAccounts })] });
  const created = changeSet.at;
  await transaction.insert(linkedAccountTable, [{ id, contributor, subject, created, last_used: null }]);
  changeSet.add({ kind: 'linked_account', action: 'created', subject: id, owner: contributor });
}

/** There must be another way in: a password, a passkey or another linked account. Ends the sessions that it began. */
export function unlinkAccount(
  { database, allowsPasswords }: SignInDependencies,
  contributor: number,
  id: number,
): Promise<void> {
  return transact(database, contributor, async ({ transaction, changeSet }) => {
    await transaction.lockChangeLog();
    await loadOwnLinkedAccount(transaction, id, contributor);
    const isOther = sql`contributor = ${contributor} and id <> ${id}`;
    const hasOther =
      (allowsPasswords && (await findAccount(transaction, contributor))?.password) ||
      (await exists(transaction, sql`from linked_account where ${isOther}`)) ||
      (await exists(transaction, sql`from passkey where contributor = ${contributor}`));
    if (!hasOther) throw new Invalid({ non_field_errors: [apiText('lastLinkedAccount')] });
    await execute(transaction)`delete from linked_account where id = ${id}`;
    await execute(transaction)`delete from session where linked_account = ${id}`;
    changeSet.add({ kind: 'linked_account', action: 'removed', subject: id, owner: contributor });
    await queueNotice(transaction, contributor, 'linked_account_removed');
  });
}
