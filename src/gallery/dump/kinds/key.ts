import sql, { join } from 'sql-template-tag';
import { accountTable, apiKeyTable } from '../../../database/schema.ts';
import { type KeyLine, keyLine } from '../../accounts/key-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { put } from '../put.ts';

type KeyRow = Omit<KeyLine, 'access'> & { writes: number };

export const keyKind: LineKind<KeyLine> = {
  format: keyLine,
  exporter: exportTable<KeyRow>(apiKeyTable, (row) =>
    keyLine.stringify({ ...row, access: row.writes ? 'write' : 'read' }),
  ),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', accountTable);
    const hashes = batch.map(({ entry }) => entry.hash);
    const existing = await context.transaction.all<{ id: number; hash: string }>(
      sql`select id, hash from api_key where hash in (${join(hashes)})`,
    );
    context.requireUnique(batch, 'hash', existing);
    const entries = keepLast(batch, ({ id }) => id);
    await put(
      context.transaction,
      apiKeyTable,
      entries.map((entry) => ({ ...entry, writes: entry.access === 'write' ? 1 : 0 })),
    );
  },

  describeChange: ({ id }) => ({ subject: id }),
};
