import { projectTable, ratingTable } from '../../../database/schema.ts';
import { type RatingLine, ratingLine } from '../../ratings/rating-line.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';

export const ratingKind: LineKind<RatingLine> = {
  format: ratingLine,
  exporter: exportTable(ratingTable, ratingTable.columns, ratingLine.stringify),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'project', projectTable);
    for (const { lineNumber, entry } of batch) {
      await context.requireContributor(lineNumber, entry.contributor);
      context.referencedProjects.add(entry.project);
    }
    const rows = keepLast(batch, ({ project, contributor }) => `${project} ${contributor}`);
    await context.transaction.upsert(ratingTable, rows);
  },

  describeChange: ({ project }, text) => ({ subject: project, record: text }),
};
