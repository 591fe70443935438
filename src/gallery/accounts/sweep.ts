import sql from 'sql-template-tag';
import type { Database } from '../../database/database.ts';
import { now } from '../instant.ts';
import { idleSince } from './sessions.ts';

/** Passwords are checked so slowly that an hour brings fewer rows in normal use, and not many more in an attack. */
const maxSignInAttempts = 100_000;

/**
 * Deletes expired rows, which have no effect any more. Expired keys stay, so that their owners see that they expired.
 */
export async function sweepAccounts(database: Database): Promise<void> {
  const at = now();
  await database.transaction(async (transaction) => {
    await transaction.run(sql`delete from session where expires <= ${at} or last_used <= ${idleSince(at)}`);
    await transaction.run(sql`delete from invitation where expires <= ${at}`);
    await transaction.run(sql`delete from account_link where expires <= ${at}`);
    await transaction.run(sql`delete from used_challenge where until <= ${at}`);
    await transaction.run(sql`delete from sign_in_attempt where until <= ${at}`);
    // Those that would expire first. A subquery with `in` is run once a row if PostgreSQL believes that the table is empty.
    await transaction.run(
      sql`delete from sign_in_attempt where (until, subject) <= (
            select until, subject from sign_in_attempt order by until desc, subject desc
            limit 1 offset ${maxSignInAttempts})`,
    );
  });
}
