// An identity is somebody's account at a sign-in service elsewhere, such as that of a school. Who proves it is signed in as
// the contributor to whom it is linked.

import sql from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import type { Row } from '../../database/columns.ts';
import type { Database, Reader } from '../../database/database.ts';
import { all, count, execute, executeAlone, exists, first, one } from '../../database/query.ts';
import { identityTable } from '../../database/schema.ts';
import { findAccount } from '../accounts/account.ts';
import type { SignedInAccount } from '../accounts/sessions.ts';
import { transact, type Write } from '../changes/transact.ts';
import { now } from '../instant.ts';
import { queueNotice } from '../mail/queue.ts';
import { requireSecondFactor, type SignInDependencies } from './sign-in.ts';

export type Identity = Row<typeof identityTable>;

/** The subject with the issuer; OpenID Connect allows 255 characters for the subject alone. */
export const identityLimits = { subject: 1000, identities: 10 } as const;

export interface PersonNames {
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
}

/** Somebody who has just signed in elsewhere. */
export interface ProvenIdentity {
  readonly subject: string;
  /** As they are called there: suggestions for a new account. */
  loadNames(): Promise<PersonNames>;
}

/** What somebody is in a course. */
export type CourseRole = 'teacher' | 'member';

/** A course of the platform, and what somebody is in it. */
export interface CourseThere {
  /** The platform, its installation of this site and its id of the course, with spaces between. */
  readonly name: string;
  readonly title: string;
  readonly role: CourseRole;
}

/** A sign-in service elsewhere. */
export interface IdentityProvider {
  /** Its name for people. */
  readonly label: string;
  /** Where to send the browser. The challenge stays with it; the answer is valid for this challenge only. */
  buildStart(callback: string, challenge: string): Promise<string>;
  /** Checks the answer, with which the browser came back. Throws Invalid, or SignInServiceDown. */
  finish(callback: string, answer: URLSearchParams, challenge: string): Promise<ProvenIdentity>;
}

export const issuerOf = ({ subject }: Pick<Identity, 'subject'>): string => subject.split(' ', 1)[0] ?? '';

export const loadIdentities = (reader: Reader, contributor: number): Promise<Identity[]> =>
  all(reader, identityTable.columns)`from identity where contributor = ${contributor} order by id`;

export const loadOwnIdentity = (reader: Reader, id: number, owner: number): Promise<Identity> =>
  one(reader, identityTable.columns)`from identity where id = ${id} and contributor = ${owner}`;

export const findIdentity = (reader: Reader, subject: string): Promise<Identity | undefined> =>
  first(reader, identityTable.columns)`from identity where subject = ${subject}`;

/** Its owner has proved it. Throws SecondFactorNeeded or SecondFactorMissing if that is not enough. */
export async function signInWithIdentity(
  deps: SignInDependencies,
  { id, contributor }: Identity,
): Promise<SignedInAccount> {
  const account = await findAccount(deps.database, contributor);
  if (!account || account.disabled !== null)
    throw new Invalid({ non_field_errors: [apiText('accountDisabled')] });
  await executeAlone(deps.database)`update identity set last_used = ${now()} where id = ${id}`;
  return requireSecondFactor(deps, account.role, { id: contributor, identity: id });
}

/** For the owner of the account, who is signed in. */
export const linkIdentity = (database: Database, contributor: number, subject: string): Promise<void> =>
  transact(database, contributor, async (write) => {
    await insertIdentity(write, contributor, subject);
    await queueNotice(write.transaction, contributor, 'identity_created');
  });

export async function insertIdentity(
  { transaction, changeSet }: Write,
  contributor: number,
  subject: string,
): Promise<number> {
  await transaction.lockChangeLog();
  const id = await transaction.nextId(identityTable);
  if (await exists(transaction, sql`from identity where subject = ${subject}`))
    throw new Invalid({ non_field_errors: [apiText('identityUsed')] });
  const linked = await count(transaction, sql`from identity where contributor = ${contributor}`);
  if (linked >= identityLimits.identities)
    throw new Invalid({ non_field_errors: [apiText('maxIdentities', { max: identityLimits.identities })] });
  const created = changeSet.at;
  await transaction.insert(identityTable, [{ id, contributor, subject, created, last_used: null }]);
  changeSet.add({ kind: 'identity', action: 'created', subject: id, owner: contributor });
  return id;
}

/** Nobody shuts themselves out: a password that counts, a passkey or another identity is left. */
export function unlinkIdentity(
  { database, allowsPasswords }: SignInDependencies,
  contributor: number,
  id: number,
): Promise<void> {
  return transact(database, contributor, async ({ transaction, changeSet }) => {
    await transaction.lockChangeLog();
    await loadOwnIdentity(transaction, id, contributor);
    const hasOther =
      (allowsPasswords && (await findAccount(transaction, contributor))?.password) ||
      (await exists(transaction, sql`from identity where contributor = ${contributor} and id <> ${id}`)) ||
      (await exists(transaction, sql`from passkey where contributor = ${contributor}`));
    if (!hasOther) throw new Invalid({ non_field_errors: [apiText('lastIdentity')] });
    await execute(transaction)`delete from identity where id = ${id}`;
    changeSet.add({ kind: 'identity', action: 'removed', subject: id, owner: contributor });
    await queueNotice(transaction, contributor, 'identity_removed');
  });
}
