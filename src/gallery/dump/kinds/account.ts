import sql, { join } from 'sql-template-tag';
import { accountTable, contributorTable } from '../../../database/schema.ts';
import { type AccountLine, accountLine } from '../../accounts/account-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { put } from '../put.ts';

export const accountKind: LineKind<AccountLine> = {
  format: accountLine,
  exporter: exportTable(accountTable, accountLine.stringify),

  /** Ends all sessions of the imported accounts. */
  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', contributorTable);
    const rows = keepLast(batch, ({ contributor }) => contributor);
    await put(context.transaction, accountTable, rows);
    const contributors = rows.map(({ contributor }) => contributor);
    await context.transaction.run(sql`delete from session where contributor in (${join(contributors)})`);
  },

  describeChange: ({ contributor }) => ({ subject: contributor }),
};
