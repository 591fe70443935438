import { accountTable, secondFactorTable } from '../../../database/schema.ts';
import { joinHashes, splitHashes } from '../../../gallery/passkeys/second-factor.ts';
import { type SecondFactorLine, secondFactorLine } from '../../../gallery/passkeys/second-factor-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { protectSecondFactors } from '../protected-accounts.ts';

export const secondFactorKind: LineKind<SecondFactorLine> = {
  format: secondFactorLine,
  exporter: exportTable(secondFactorTable, secondFactorTable.columns, (row) =>
    secondFactorLine.stringify({ ...row, recovery_codes: splitHashes(row.recovery_codes) }),
  ),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'contributor', accountTable);
    await protectSecondFactors(context, batch);
    const entries = keepLast(batch, ({ contributor }) => contributor);
    await context.transaction.upsert(
      secondFactorTable,
      entries.map((entry) => ({ ...entry, recovery_codes: joinHashes(entry.recovery_codes) })),
    );
  },

  describeChange: ({ contributor }) => ({ subject: contributor }),
};
