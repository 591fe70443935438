import sql, { join } from 'sql-template-tag';
import { pick } from '../../../database/columns.ts';
import { select } from '../../../database/query.ts';
import { accountTable, apiKeyTable } from '../../../database/schema.ts';
import { type KeyLine, keyLine } from '../../../gallery/accounts/key-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { protectKeys } from '../protected-accounts.ts';

const columns = pick(apiKeyTable.columns, 'id', 'hash');

export const keyKind: LineKind<KeyLine> = {
  format: keyLine,
  exporter: exportTable(apiKeyTable, apiKeyTable.columns, (row) =>
    keyLine.stringify({ ...row, access: row.can_write ? 'write' : 'read', used: row.last_used }),
  ),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', accountTable);
    await protectKeys(context, batch);
    const hashes = batch.map(({ entry }) => entry.hash);
    const existing = await context.transaction.all(
      select(columns, sql`from api_key where hash in (${join(hashes)})`),
    );
    context.requireUnique(batch, 'hash', existing);
    const entries = keepLast(batch, ({ id }) => id);
    await context.transaction.upsert(
      apiKeyTable,
      entries.map((entry) => ({
        ...entry,
        can_write: entry.access === 'write' ? 1 : 0,
        last_used: entry.used,
      })),
    );
  },

  describeChange: ({ id }) => ({ subject: id }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(apiKeyTable),
};
