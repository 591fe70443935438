import sql, { join, raw } from 'sql-template-tag';
import { InvalidValue } from '../../../common/inputs.ts';
import { ratingTable, weeklyCountTable } from '../../../database/schema.ts';
import { contentTypes } from '../../../gallery/content-types.ts';
import type { Member } from '../../../gallery/line-format.ts';
import { count, id, instant, oneOf, wholeNumber } from '../../../gallery/line-members.ts';
import { ratingPointsSql } from '../../../gallery/projects/writing/karma.ts';
import { ratingRange } from '../../../gallery/ratings/rating.ts';
import {
  activities,
  raiseWeeklyCount,
  startOfWeek,
  weekOf,
} from '../../../gallery/statistics/weekly-counts.ts';
import type { ImportContext } from '../import-context.ts';
import { tableKind } from '../table-kind.ts';

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
  await transaction.run(
    sql`update project set earned_karma = earned_karma ${raw(sign)} ${ratingPointsSql} where id in (${join([...projects])})`,
  );
}

/** A week, as the moment when it begins. */
const week: Member<number> = {
  read(value) {
    const begins = instant.read(value);
    if (startOfWeek(weekOf(begins)) !== begins)
      throw new InvalidValue('must be the start of a Monday in UTC');
    return weekOf(begins);
  },
  write: (value) => instant.write?.(startOfWeek(value)),
  schema: instant.schema,
};

export const weeklyCountKind = tableKind(
  weeklyCountTable,
  { week, activity: oneOf(activities), content_type: oneOf(contentTypes), count },
  {
    ownData: false,
    describeChange: () => ({ subject: 0 }),
    async write(context, rows) {
      context.hasWeeklyCounts = true;
      for (const row of rows) await raiseWeeklyCount(context.transaction, row);
    },
  },
);
