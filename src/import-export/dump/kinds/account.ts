import sql, { join } from 'sql-template-tag';
import { accountTable, contributorTable } from '../../../database/schema.ts';
import { type AccountLine, accountLine } from '../../../gallery/accounts/account-line.ts';
import { accountColumns } from '../../../gallery/accounts/columns.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { protectAccounts } from '../protected-accounts.ts';

export const accountKind: LineKind<AccountLine> = {
  format: accountLine,
  exporter: exportTable(accountTable, accountColumns, accountLine.stringify),

  /** Ends all sessions of the imported accounts. */
  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', contributorTable);
    await protectAccounts(context, batch);
    const rows = keepLast(batch, ({ contributor }) => contributor);
    await context.transaction.upsert(accountTable, rows);
    const contributors = rows.map(({ contributor }) => contributor);
    await context.transaction.run(sql`delete from session where contributor in (${join(contributors)})`);
  },

  describeChange: ({ contributor }) => ({ subject: contributor }),
};
