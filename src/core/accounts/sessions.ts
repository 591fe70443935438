// Browser sessions. They last two weeks, or end after a week without use.

import sql, { type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { NotFound, NotSignedIn } from '#common/errors.ts';
import {
  all,
  type Database,
  execute,
  executeAlone,
  executeReturning,
  exists,
  type Row,
  type Transaction,
} from '#sql';
import { type Instant, microsecondsPerSecond, now } from '../instant.ts';
import type { Viewer } from '../viewer/viewer.ts';
import { lockAccount } from './account.ts';
import { reportAccountEvent } from './account-events.ts';
import { hashSecret, newSecret } from './secret.ts';
import { sessionTable } from './tables.ts';

export const sessionSeconds = 14 * 24 * 60 * 60;
const idleSeconds = 7 * 24 * 60 * 60;

/** A session in use is one after this time. */
export const idleSince = (at: Instant): Instant => at - idleSeconds * microsecondsPerSecond;

/** The oldest sessions beyond this number are deleted. */
const maxSessions = 20;

export interface NewSession {
  /** Sent to the browser only. */
  readonly secret: string;
  readonly id: string;
}

/** An account whose owner has proved who they are. No session begins if any of this has changed meanwhile. */
export interface SignedInAccount {
  readonly id: number;
  /** The hash of the password that was checked. */
  readonly passwordHash?: string;
  /** The id of the passkey that was used. */
  readonly passkey?: number;
  /** The id of the linked account that was used. */
  readonly linkedAccount?: number;
  /** The row that was used in another way. */
  readonly proof?: Sql;
  /** Whether the second factor was on; undefined if it did not matter. */
  readonly hasSecondFactor?: boolean;
}

/** Replaces the session that the browser sent, so that nobody can have planted it beforehand. */
export async function createSession(
  database: Database,
  account: SignedInAccount,
  { browser, previousSecret }: { readonly browser?: string; readonly previousSecret?: string } = {},
): Promise<NewSession> {
  const contributor = account.id;
  const secret = newSecret();
  const id = hashSecret(secret);
  const at = now();
  await database.transaction(async (transaction) => {
    await requireUnchanged(transaction, account);
    if (previousSecret)
      await execute(transaction)`delete from session where hash = ${hashSecret(previousSecret)}`;
    const expires = at + sessionSeconds * microsecondsPerSecond;
    await transaction.insert(sessionTable, [
      {
        hash: id,
        contributor,
        created: at,
        expires,
        last_used: at,
        browser: browser ?? '',
        linked_account: account.linkedAccount ?? null,
      },
    ]);
    await execute(transaction)`delete from session where contributor = ${contributor} and hash not in (
        select hash from session where contributor = ${contributor} order by created desc limit ${maxSessions})`;
  });
  return { secret, id };
}

/** Code that ends sessions locks the account too, so that it waits for the new session and ends it. */
async function requireUnchanged(
  transaction: Transaction,
  { id, passwordHash, passkey, linkedAccount, proof, hasSecondFactor }: SignedInAccount,
): Promise<void> {
  const account = await lockAccount(transaction, id);
  const isUnchanged =
    account?.disabled === null &&
    (passwordHash === undefined || account.password === passwordHash) &&
    (passkey === undefined || (await exists(transaction, sql`from passkey where id = ${passkey}`))) &&
    (linkedAccount === undefined ||
      (await exists(transaction, sql`from linked_account where id = ${linkedAccount}`))) &&
    (proof === undefined || (await exists(transaction, proof))) &&
    (hasSecondFactor === undefined ||
      hasSecondFactor === (await exists(transaction, sql`from second_factor where contributor = ${id}`)));
  if (!isUnchanged) throw new NotSignedIn(apiText('accountChanged'));
}

export async function deleteSession(database: Database, id: string): Promise<void> {
  const session = await database.transaction(
    (transaction) =>
      executeReturning(transaction, sessionTable.columns)`delete from session where hash = ${id}`,
  );
  if (session) {
    const { contributor } = session;
    reportAccountEvent(database, { event: 'signed out', actor: contributor, contributor });
  }
}

/** With the address of their feed, which shows the same without signing in. */
export async function deleteSessions(transaction: Transaction, contributor: number): Promise<void> {
  await execute(transaction)`delete from session where contributor = ${contributor}`;
  await execute(
    transaction,
  )`update notification_setting set feed_hash = null where contributor = ${contributor}`;
}

/** `last_used` is exact to the hour; `browser` is such as `Firefox on Windows`, or empty if it is unknown. */
export interface Session extends Omit<Row<typeof sessionTable>, 'hash' | 'contributor'> {
  /** Names the session to its owner; nobody can sign in with it. */
  readonly id: string;
  readonly isCurrent: boolean;
}

const publicIdLength = 16;

export const sessionHashOf = ({ credential }: Viewer): string | undefined =>
  credential?.kind === 'session' ? credential.id : undefined;

/** The sessions that have not ended, the newest first. `currentHash` is the one of the request. */
export async function loadSessions(database: Database, contributor: number, currentHash: string | undefined) {
  const at = now();
  const rows = await all(database, sessionTable.columns)`from session
    where contributor = ${contributor} and expires > ${at} and last_used > ${idleSince(at)}
    order by created desc, hash`;
  return rows.map(({ hash, contributor: _, ...session }) => ({
    ...session,
    id: hash.slice(0, publicIdLength),
    isCurrent: hash === currentHash,
  }));
}

export async function endSession(database: Database, contributor: number, id: string): Promise<void> {
  const session = await database.transaction(
    (transaction) =>
      executeReturning(transaction, sessionTable.columns)`delete from session
        where contributor = ${contributor} and substr(hash, 1, ${publicIdLength}) = ${id}`,
  );
  if (!session) throw new NotFound();
  reportAccountEvent(database, { event: 'session ended', actor: contributor, contributor });
}

/** Ends all sessions but the one of the request. */
export async function endOtherSessions(
  database: Database,
  contributor: number,
  currentHash: string | undefined,
): Promise<void> {
  await executeAlone(database)`delete from session
    where contributor = ${contributor} and hash <> ${currentHash ?? ''}`;
  reportAccountEvent(database, { event: 'sessions ended', actor: contributor, contributor });
}
