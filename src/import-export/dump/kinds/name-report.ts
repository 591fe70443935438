import { decisionTable, nameReportTable } from '../../../database/schema.ts';
import { type NameReportLine, nameReportLine } from '../../../gallery/moderation/name-report.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';

export const nameReportKind: LineKind<NameReportLine> = {
  format: nameReportLine,
  exporter: exportTable(nameReportTable, nameReportTable.columns, nameReportLine.stringify),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'decision', decisionTable);
    for (const { lineNumber, entry } of batch) {
      await context.requireContributor(lineNumber, entry.contributor);
      await context.requireContributor(lineNumber, entry.reporter, 'reporter');
    }
    await context.transaction.upsert(
      nameReportTable,
      keepLast(batch, ({ id }) => id),
    );
  },

  describeChange: ({ id }) => ({ subject: id }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(nameReportTable),
};
