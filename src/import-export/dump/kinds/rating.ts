import sql, { join, raw } from 'sql-template-tag';
import { projectTable, ratingTable } from '../../../database/schema.ts';
import { ratingPointsSql } from '../../../gallery/projects/writing/karma.ts';
import { type RatingLine, ratingLine } from '../../../gallery/ratings/rating-line.ts';
import { exportTable } from '../export-table.ts';
import type { ImportContext } from '../import-context.ts';
import { keepLast, type LineKind } from '../kind.ts';

export const ratingKind: LineKind<RatingLine> = {
  format: ratingLine,
  exporter: exportTable(ratingTable, ratingTable.columns, ratingLine.stringify),

  async importBatch(context, batch) {
    await context.requireRows(batch, 'project', projectTable);
    for (const { lineNumber, entry } of batch) {
      await context.requireContributor(lineNumber, entry.contributor);
      if (!context.wasEmpty) context.referencedProjects.add(entry.project);
    }
    const rows = keepLast(batch, ({ project, contributor }) => `${project} ${contributor}`);
    const ids = [...new Set(rows.map(({ project }) => project))];
    await addRatingPoints(context, ids, '-');
    await context.transaction.upsert(ratingTable, rows);
    await addRatingPoints(context, ids, '+');
  },

  describeChange: ({ project }, text) => ({ subject: project, record: text }),
};

/** For projects that are not in the dump; see finish-projects.ts for the others. */
async function addRatingPoints(
  { transaction, wasEmpty }: ImportContext,
  projects: readonly number[],
  sign: '+' | '-',
): Promise<void> {
  if (wasEmpty) return;
  await transaction.run(
    sql`update project set earned_karma = earned_karma ${raw(sign)} ${ratingPointsSql} where id in (${join([...projects])})`,
  );
}
