import { decisionTable, projectTable, reportTable } from '../../../database/schema.ts';
import { type ReportLine, reportLine } from '../../moderation/report-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { put } from '../put.ts';

export const reportKind: LineKind<ReportLine> = {
  format: reportLine,
  exporter: exportTable(reportTable, reportLine.stringify),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'project', projectTable);
    await context.requireRows(batch, 'decision', decisionTable);
    for (const { lineNumber, entry } of batch)
      await context.requireContributor(lineNumber, entry.contributor);
    await put(
      context.transaction,
      reportTable,
      keepLast(batch, ({ id }) => id),
    );
  },

  describeChange: ({ id }) => ({ subject: id }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(reportTable),
};
