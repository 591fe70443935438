// Checks imported projects as a whole and computes the data derived from them. The figures in a project's line are
// totals: its copies, comments and ratings account for a part of them, and the rest becomes the opening figures. A
// project that is not in the dump keeps its figures, plus the ratings that the dump adds to it.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { all, execute, exists, first, integer, pick, select, type Transaction } from '#sql';
import { changeTable } from '../../core/changes/tables.ts';
import { chunks } from '../../core/chunks.ts';
import { fillAudiences } from '../../core/migrations/audiences.ts';
import { projectTable } from '../tables.ts';
import { isListedSql } from '../visibility/visible-to.ts';
import {
  atMostMaxFigureSql,
  earnedSql,
  karmaSql,
  ratingCountSql,
  ratingSumSql,
  totalRatingCountSql,
  totalRatingSumSql,
} from '../writing/karma.ts';
import { expectOlderComments } from '../writing/older-comments.ts';
import { recountProjects } from '../writing/project-counts.ts';
import { recomputeThreads } from '../writing/update-threads.ts';
import type { ImportContext } from './import-context.ts';

/** Call it when all lines that refer to projects are imported. */
export async function finishProjects(context: ImportContext): Promise<void> {
  const { transaction, log } = context;
  if (context.wasEmpty) await requireUniqueUuids(context);
  await context.prepareQueries();
  const copy = await findCycle(transaction, 'copied_from', context.possibleCycles);
  if (copy !== undefined) context.refuseFile(`the project ${copy} would be a copy of its own copy.`);
  await recomputeThreads(transaction);
  const reply = await findCycle(transaction, 'parent', await findCommentsWithoutRoot(transaction));
  if (reply !== undefined) context.refuseFile(`the comment ${reply} would be a reply to its own reply.`);
  await recomputeFigures(context);
  // Without the indexes, SQLite reads the table from its beginning to its end.
  await recountProjects(transaction);
  await context.restoreIndexes();
  if (!context.hasAudiences) await fillOlderRows(transaction);
  if (!log.isTakenOver)
    await execute(transaction)`update change set listed = 1
      where sequence + 0 > ${log.sequenceBefore} and kind = 'project' and subject in (
        select id from project where content_type = 'comment' and ${isListedSql})`;
}

/** Of a dump from before rows said for whom they were made. */
async function fillOlderRows(transaction: Transaction): Promise<void> {
  const hasClasses = await exists(transaction, sql`from project where kind = 'class'`);
  for (const { table, set, rest } of hasClasses ? fillAudiences(transaction.jsonMember) : [])
    await execute(transaction)`update ${raw(table)} set ${raw(set)} where ${raw(rest)}`;
  await expectOlderComments(transaction);
}

const sharedUuid = {
  ...pick(projectTable.columns, 'uuid'),
  first: integer(sql`min(id)`),
  second: integer(sql`max(id)`),
};
const lastLine = { ...pick(changeTable.columns, 'subject'), sequence: integer(sql`max(sequence)`) };

/** Finds duplicates that were missed without the index of uuids. The entries of the lines give the line number. */
async function requireUniqueUuids(context: ImportContext): Promise<void> {
  const shared = await first(context.transaction, sharedUuid)`from project
    group by uuid having count(*) > 1 limit 1`;
  if (!shared) return;
  if (context.log.isTakenOver)
    context.refuseFile(`${shared.uuid} is the uuid of both ${shared.first} and ${shared.second}.`);
  const [line, duplicate] = await all(context.transaction, lastLine)`from change
    where kind = 'project' and subject in (${shared.first}, ${shared.second})
    group by subject order by 2`;
  if (!line || !duplicate) throw new Error('an imported project is not in the change log');
  context.refuse(
    context.log.lineOf(duplicate.sequence),
    `uuid: ${shared.uuid} already belongs to id ${line.subject}.`,
  );
}

async function recomputeFigures(context: ImportContext): Promise<void> {
  const { transaction, wasEmpty, importedProjects, referencedProjects } = context;
  if (wasEmpty) return recomputeOpeningFigures(transaction, sql`is not null`);
  for (const ids of chunks(importedProjects))
    await recomputeOpeningFigures(transaction, sql`in (${join(ids)})`);
  for (const ids of chunks(referencedProjects.difference(importedProjects)))
    await recomputeReferencedFigures(transaction, ids);
}

/**
 * Treats the stored figures as totals and splits off the opening figures. `matches` is a condition for the ids. Only
 * projects that have copies, comments or ratings are looked at: the others have opening figures only.
 */
async function recomputeOpeningFigures(transaction: Transaction, matches: Sql): Promise<void> {
  const condition = sql`id in (
    select copied_from from project where copied_from ${matches} union
    select parent from project where parent ${matches} union
    select project from rating where project ${matches})`;
  await execute(
    transaction,
  )`update project set earned_karma = figures.earned, opening_karma = karma - figures.earned,
      opening_rating_count = case when rating_count > figures.ratings then rating_count - figures.ratings else 0 end,
      opening_rating_sum = case when rating_sum > figures.rated then rating_sum - figures.rated else 0 end,
      rating_count = case when rating_count > figures.ratings then rating_count else figures.ratings end,
      rating_sum = case when rating_sum > figures.rated then rating_sum else figures.rated end
    from (select id as project, ${earnedSql} as earned, ${ratingCountSql} as ratings, ${ratingSumSql} as rated
      from project where ${condition}) as figures where figures.project = project.id`;
}

/**
 * Adds new ratings to the figures; their karma is in `earned_karma` already. Karma for imported copies and comments was
 * earned elsewhere and is not added.
 */
async function recomputeReferencedFigures(transaction: Transaction, ids: number[]): Promise<void> {
  const openingKarma = atMostMaxFigureSql(sql`opening_karma + earned_karma - ${earnedSql}`);
  await execute(transaction)`update project set opening_karma = ${openingKarma}, earned_karma = ${earnedSql},
      rating_count = ${totalRatingCountSql}, rating_sum = ${totalRatingSumSql}
    where id in (${join(ids)})`;
  await execute(transaction)`update project set karma = ${karmaSql()}
    where id in (${join(ids)})`;
}

const idColumn = pick(projectTable.columns, 'id');

/** The project that they are about may be missing. */
async function findCommentsWithoutRoot(transaction: Transaction): Promise<number[]> {
  const rows = await all(transaction, idColumn)`from project
    where content_type = 'comment' and parent is not null and root is null order by id + 0`;
  return rows.map(({ id }) => id);
}

/** Finds a project among these that is its own source or parent, directly or indirectly. */
async function findCycle(transaction: Transaction, column: 'copied_from' | 'parent', ids: Iterable<number>) {
  const source = raw(column);
  for (const chunk of chunks(ids)) {
    const cycle = await transaction.first(
      select(
        { id: integer() },
        sql`from up where source = id order by id limit 1`,
        sql`with recursive up (id, source) as (
              select id, ${source} from project where id in (${join(chunk)}) and ${source} is not null
              union
              select up.id, p.${source} from up join project p on p.id = up.source
              where p.${source} is not null and up.source <> up.id
            )`,
      ),
    );
    if (cycle) return cycle.id;
  }
  return undefined;
}
