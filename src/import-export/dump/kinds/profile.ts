import { contributorTable, profileTable } from '../../../database/schema.ts';
import { fromRow, toRow } from '../../../gallery/profiles/profile.ts';
import { type ProfileLine, profileLine } from '../../../gallery/profiles/profile-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';

export const profileKind: LineKind<ProfileLine> = {
  format: profileLine,
  exporter: exportTable(profileTable, profileTable.columns, (row) =>
    profileLine.stringify({ contributor: row.contributor, ...fromRow(row) }),
  ),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', contributorTable);
    const entries = keepLast(batch, ({ contributor }) => contributor);
    await context.transaction.upsert(
      profileTable,
      entries.map((entry) => toRow(entry.contributor, entry)),
    );
  },

  describeChange: ({ contributor }) => ({ subject: contributor }),
};
