import { join, raw } from 'sql-template-tag';
import { execute } from '#sql';
import { id, instant, wholeNumber } from '../../core/dump/line-format.ts';
import type { ImportContext } from '../dump/import-context.ts';
import { tableKind } from '../dump/table-kind.ts';
import { ratingTable } from '../tables.ts';
import { ratingPointsSql } from '../writing/karma.ts';
import { ratingRange } from './rate.ts';

export const ratingKind = tableKind(
  ratingTable,
  {
    project: id,
    contributor: id,
    value: wholeNumber(ratingRange.min, ratingRange.max),
    created: instant,
    modified: instant,
  },
  {
    ownData: true,
    rights: 'none',
    describeChange: ({ project }, line) => ({ subject: project, record: line }),
    async write(context, rows) {
      const projects = new Set(rows.map(({ project }) => project));
      if (!context.wasEmpty) for (const project of projects) context.referencedProjects.add(project);
      await addRatingPoints(context, projects, '-');
      await context.transaction.upsert(ratingTable, rows);
      await addRatingPoints(context, projects, '+');
    },
  },
);

/** For projects that are not in the dump; see finish-projects.ts for the others. */
async function addRatingPoints(
  { transaction, wasEmpty }: ImportContext,
  projects: ReadonlySet<number>,
  sign: '+' | '-',
): Promise<void> {
  if (wasEmpty) return;
  await execute(transaction)`update project set earned_karma = earned_karma ${raw(sign)} ${ratingPointsSql}
    where id in (${join([...projects])})`;
}
