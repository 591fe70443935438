import { decisionTable } from '../../../database/schema.ts';
import { type DecisionLine, decisionLine } from '../../moderation/decision-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { put } from '../put.ts';

export const decisionKind: LineKind<DecisionLine> = {
  format: decisionLine,
  exporter: exportTable(decisionTable, decisionLine.stringify),

  /** The project of a decision may be deleted or not in the dump. */
  async importBatch(context, batch) {
    for (const { lineNumber, entry } of batch) {
      await context.requireContributor(lineNumber, entry.contributor);
      if (entry.moderator !== null)
        await context.requireContributor(lineNumber, entry.moderator, 'moderator');
    }
    await put(
      context.transaction,
      decisionTable,
      keepLast(batch, ({ id }) => id),
    );
  },

  describeChange: ({ id }) => ({ subject: id }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(decisionTable),
};
