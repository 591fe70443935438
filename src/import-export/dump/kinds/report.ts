import { decisionTable, projectTable, reportTable } from '../../../database/schema.ts';
import { reportColumns } from '../../../gallery/moderation/columns.ts';
import { type ReportLine, reportLine } from '../../../gallery/moderation/report-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';

export const reportKind: LineKind<ReportLine> = {
  format: reportLine,
  exporter: exportTable(reportTable, reportColumns, reportLine.stringify),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'project', projectTable);
    await context.requireRows(batch, 'decision', decisionTable);
    for (const { lineNumber, entry } of batch)
      await context.requireContributor(lineNumber, entry.contributor);
    await context.transaction.upsert(
      reportTable,
      keepLast(batch, ({ id }) => id),
    );
  },

  describeChange: ({ id }) => ({ subject: id }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(reportTable),
};
