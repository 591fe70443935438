import sql from 'sql-template-tag';
import type { Database } from '../../database/open.ts';
import { now } from '../instant.ts';

/** Takes away what time has ended: nothing of it would be honoured any more. Keys stay, so that they are seen to be old. */
export async function sweepAccounts(database: Database): Promise<void> {
  const at = now();
  await database.transaction(async (transaction) => {
    await transaction.run(sql`delete from session where expires <= ${at}`);
    await transaction.run(sql`delete from invitation where expires <= ${at}`);
    await transaction.run(sql`delete from guess where until <= ${at}`);
  });
}
