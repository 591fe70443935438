import sql from 'sql-template-tag';
import { hashChange, hashedColumns } from '../../database/change-hash.ts';
import type { Reader } from '../../database/database.ts';
import { changeTable } from '../../database/schema.ts';
import { findChangeHead } from '../following/change-feed.ts';
import { readTable } from '../listing/read-table.ts';

const columns = { ...hashedColumns, hash: changeTable.columns.hash };

/**
 * The number of the first change that is missing or was altered. A log may begin with any number: that of a dump does.
 */
export async function findBrokenChange(reader: Reader): Promise<number | undefined> {
  let last: { sequence: number; hash: string } | undefined;
  for await (const changes of readTable(reader, changeTable, columns, sql`1 = 1`)) {
    for (const change of changes) {
      const expected = last ? last.sequence + 1 : change.sequence;
      if (change.sequence !== expected || change.hash !== hashChange(last?.hash ?? '', change))
        return expected;
      last = change;
    }
  }
  const head = await findChangeHead(reader);
  return head.hash === (last?.hash ?? '') ? undefined : (last?.sequence ?? 0) + 1;
}
