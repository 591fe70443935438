import { contributorTable, emailTable } from '../../../database/schema.ts';
import { type EmailLine, emailLine } from '../../../gallery/accounts/email-line.ts';
import { now } from '../../../gallery/instant.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { protectEmails } from '../protected-accounts.ts';

export const emailKind: LineKind<EmailLine> = {
  format: emailLine,
  exporter: exportTable(emailTable, emailTable.columns, emailLine.stringify),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', contributorTable);
    await protectEmails(context, batch);
    const lines = keepLast(batch, ({ contributor }) => contributor);
    const pending_since = now();
    const rows = lines.map((line) => ({
      ...line,
      address_key: line.address?.toLowerCase() ?? null,
      pending_since,
    }));
    await context.transaction.upsert(emailTable, rows);
  },
};
