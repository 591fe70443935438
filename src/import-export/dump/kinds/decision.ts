import { decisionTable } from '../../../database/schema.ts';
import { decisionColumns } from '../../../gallery/moderation/columns.ts';
import { type DecisionLine, decisionLine } from '../../../gallery/moderation/decision-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';

export const decisionKind: LineKind<DecisionLine> = {
  format: decisionLine,
  exporter: exportTable(decisionTable, decisionColumns, decisionLine.stringify),

  /** The project of a decision may be deleted or not in the dump. */
  async importBatch(context, batch) {
    for (const { lineNumber, entry } of batch) {
      await context.requireContributor(lineNumber, entry.contributor);
      if (entry.moderator !== null)
        await context.requireContributor(lineNumber, entry.moderator, 'moderator');
    }
    await context.transaction.upsert(
      decisionTable,
      keepLast(batch, ({ id }) => id),
    );
  },

  describeChange: ({ id }) => ({ subject: id }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(decisionTable),
};
