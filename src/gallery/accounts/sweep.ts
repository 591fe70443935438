import sql from 'sql-template-tag';
import type { Database } from '../../database/open.ts';
import { now } from '../instant.ts';

/**
 * Deletes expired rows, which have no effect any more. Expired keys stay, so that their owners see that they expired.
 */
export async function sweepAccounts(database: Database): Promise<void> {
  const at = now();
  await database.transaction(async (transaction) => {
    await transaction.run(sql`delete from session where expires <= ${at}`);
    await transaction.run(sql`delete from invitation where expires <= ${at}`);
    await transaction.run(sql`delete from sign_in_attempt where until <= ${at}`);
  });
}
