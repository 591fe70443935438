import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';

/** Counts all projects anew: after a bulk load that is sooner done than keeping count. */
export async function retally(transaction: Transaction): Promise<void> {
  await transaction.run(sql`delete from tally`);
  await transaction.run(
    sql`insert into tally (visibility, status, veil, content_type, count)
        select visibility, status, veil, content_type, count(*) from project group by visibility, status, veil, content_type`,
  );
}
