import sql, { join } from 'sql-template-tag';
import { pick } from '../../../database/columns.ts';
import { select } from '../../../database/query.ts';
import { accountTable, passkeyTable } from '../../../database/schema.ts';
import { type PasskeyLine, passkeyLine } from '../../../gallery/passkeys/passkey-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { protectPasskeys } from '../protected-accounts.ts';

const columns = pick(passkeyTable.columns, 'id', 'credential');

export const passkeyKind: LineKind<PasskeyLine> = {
  format: passkeyLine,
  exporter: exportTable(passkeyTable, passkeyTable.columns, (row) =>
    passkeyLine.stringify({ ...row, used: row.last_used }),
  ),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', accountTable);
    await protectPasskeys(context, batch);
    const credentials = batch.map(({ entry }) => entry.credential);
    const existing = await context.transaction.all(
      select(columns, sql`from passkey where credential in (${join(credentials)})`),
    );
    context.requireUnique(batch, 'credential', existing);
    const entries = keepLast(batch, ({ id }) => id);
    await context.transaction.upsert(
      passkeyTable,
      entries.map(({ used, ...entry }) => ({ ...entry, last_used: used })),
    );
  },

  describeChange: ({ id }) => ({ subject: id }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(passkeyTable),
};
