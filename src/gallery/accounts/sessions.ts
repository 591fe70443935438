// Sessions of the web site: what a browser holds after it signed in. They last two weeks, whatever is done in them.

import sql from 'sql-template-tag';
import type { Database, Transaction } from '../../database/open.ts';
import { now } from '../instant.ts';
import { hashSecret, newSecret } from './secret.ts';

export const sessionSeconds = 14 * 24 * 60 * 60;
/** Of more than these, the oldest end. */
const maxSessions = 20;

export interface Session {
  /** For the browser alone. */
  readonly secret: string;
  readonly id: string;
}

/** In the place of the one that the browser showed, if it showed one: nobody can have laid it there beforehand. */
export async function createSession(
  database: Database,
  contributor: number,
  previousSecret?: string,
): Promise<Session> {
  const secret = newSecret();
  const id = hashSecret(secret);
  const at = now();
  await database.transaction(async (transaction) => {
    if (previousSecret)
      await transaction.run(sql`delete from session where hash = ${hashSecret(previousSecret)}`);
    await transaction.run(
      sql`insert into session (hash, contributor, created, expires)
          values (${id}, ${contributor}, ${at}, ${at + sessionSeconds * 1_000_000})`,
    );
    await transaction.run(
      sql`delete from session where contributor = ${contributor} and hash not in (
            select hash from session where contributor = ${contributor} order by created desc limit ${maxSessions})`,
    );
  });
  return { secret, id };
}

export async function deleteSession(database: Database, id: string): Promise<void> {
  await database.transaction((transaction) => transaction.run(sql`delete from session where hash = ${id}`));
}

export async function deleteSessions(transaction: Transaction, contributor: number): Promise<void> {
  await transaction.run(sql`delete from session where contributor = ${contributor}`);
}
