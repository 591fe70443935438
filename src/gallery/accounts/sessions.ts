// Browser sessions. They last two weeks, whatever happens in them.

import sql from 'sql-template-tag';
import type { Database, Transaction } from '../../database/open.ts';
import { sessionTable } from '../../database/schema.ts';
import { reportAccountEvent } from '../account-events.ts';
import { microsecondsPerSecond, now } from '../instant.ts';
import { requireSamePassword } from './account.ts';
import { hashSecret, newSecret } from './secret.ts';

export const sessionSeconds = 14 * 24 * 60 * 60;
/** The oldest sessions beyond this number are deleted. */
const maxSessions = 20;

export interface Session {
  /** Sent to the browser only. */
  readonly secret: string;
  readonly id: string;
}

/** An account whose owner has proved who they are. */
export interface SignedInAccount {
  readonly id: number;
  /** The hash of the password that was checked: no session begins if the password has changed meanwhile. */
  readonly passwordHash?: string;
}

/** Replaces the session that the browser sent, so that nobody can have planted it beforehand. */
export async function createSession(
  database: Database,
  { id: contributor, passwordHash }: SignedInAccount,
  previousSecret?: string,
): Promise<Session> {
  const secret = newSecret();
  const id = hashSecret(secret);
  const at = now();
  await database.transaction(async (transaction) => {
    if (passwordHash !== undefined) await requireSamePassword(transaction, contributor, passwordHash);
    if (previousSecret)
      await transaction.run(sql`delete from session where hash = ${hashSecret(previousSecret)}`);
    const expires = at + sessionSeconds * microsecondsPerSecond;
    await transaction.insert(sessionTable, [{ hash: id, contributor, created: at, expires }]);
    await transaction.run(
      sql`delete from session where contributor = ${contributor} and hash not in (
            select hash from session where contributor = ${contributor} order by created desc limit ${maxSessions})`,
    );
  });
  return { secret, id };
}

export async function deleteSession(database: Database, id: string): Promise<void> {
  const session = await database.transaction((transaction) =>
    transaction.runReturning(sessionTable.columns, sql`delete from session where hash = ${id}`),
  );
  if (session) {
    const { contributor } = session;
    reportAccountEvent(database, { event: 'signed out', actor: contributor, contributor });
  }
}

export async function deleteSessions(transaction: Transaction, contributor: number): Promise<void> {
  await transaction.run(sql`delete from session where contributor = ${contributor}`);
}
