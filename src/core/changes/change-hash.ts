import sql, { join } from 'sql-template-tag';
import { all, hashChange, hashedColumns, type Transaction } from '#sql';

const rowsPerStatement = 500;

/** For a log from before there were hashes. */
export async function hashAllChanges(transaction: Transaction): Promise<void> {
  let hash = '';
  for (let last = 0; ; ) {
    const changes = await all(transaction, hashedColumns)`from change
      where sequence > ${last} order by sequence limit ${rowsPerStatement}`;
    const lastChange = changes.at(-1);
    if (!lastChange) break;
    const hashes = changes.map((change) => {
      hash = hashChange(hash, change);
      return sql`(cast(${change.sequence} as bigint), ${hash})`;
    });
    await transaction.run(
      sql`update change set hash = computed.column2 from (values ${join(hashes)}) as computed
          where change.sequence = computed.column1`,
    );
    last = lastChange.sequence;
  }
  await transaction.run(sql`update change_head set hash = ${hash}`);
}
