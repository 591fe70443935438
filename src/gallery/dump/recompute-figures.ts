// Recomputes derived data after the rows of a dump are stored. The figures in a project's line are totals: its
// copies, comments and ratings account for a part of them, and the rest becomes the opening figures. A project that
// is not in the dump keeps its figures, plus the ratings that the dump adds to it.

import sql, { join, type Sql } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { chunks } from '../chunks.ts';
import { earnedSql, karmaSql, ratingCountSql, ratingSumSql } from '../projects/karma.ts';
import { recomputeThreads } from '../projects/thread-visibility.ts';

interface AffectedProjects {
  /** Projects that were in the dump; 'all' if the gallery was empty before. */
  readonly imported: ReadonlySet<number> | 'all';
  /** Projects that a line of the dump refers to, or that a replaced project referred to. */
  readonly referenced: ReadonlySet<number>;
}

export async function recomputeFigures(
  transaction: Transaction,
  { imported, referenced }: AffectedProjects,
): Promise<void> {
  await recomputeThreads(transaction);
  if (imported === 'all') {
    await recomputeOpeningFigures(
      transaction,
      sql`id in (select copied_from from project where copied_from is not null union
                 select parent from project where parent is not null union select project from rating)`,
    );
    return;
  }
  for (const ids of chunks(imported)) await recomputeOpeningFigures(transaction, sql`id in (${join(ids)})`);
  for (const ids of chunks(referenced.difference(imported)))
    await recomputeReferencedFigures(transaction, ids);
}

/** Treats the stored figures as totals and splits off the opening figures. */
async function recomputeOpeningFigures(transaction: Transaction, condition: Sql): Promise<void> {
  await transaction.run(
    sql`update project set earned = ${earnedSql},
          opening_rating_count = case when rating_count > ${ratingCountSql} then rating_count - ${ratingCountSql} else 0 end,
          opening_rating_sum = case when rating_sum > ${ratingSumSql} then rating_sum - ${ratingSumSql} else 0 end
        where ${condition}`,
  );
  await transaction.run(
    sql`update project set opening_karma = karma - earned,
          rating_count = opening_rating_count + ${ratingCountSql}, rating_sum = opening_rating_sum + ${ratingSumSql}
        where ${condition}`,
  );
}

/** Adds new ratings to the figures. Karma for imported copies and comments was earned elsewhere and is not added. */
async function recomputeReferencedFigures(transaction: Transaction, ids: number[]): Promise<void> {
  const newRatingSum = sql`(${ratingSumSql} - (rating_sum - opening_rating_sum))`;
  await transaction.run(
    sql`update project set opening_karma = opening_karma + earned + ${newRatingSum} - ${earnedSql}, earned = ${earnedSql},
          rating_count = opening_rating_count + ${ratingCountSql}, rating_sum = opening_rating_sum + ${ratingSumSql}
        where id in (${join(ids)})`,
  );
  await transaction.run(
    sql`update project set karma = ${karmaSql()}
        where id in (${join(ids)})`,
  );
}

/** Finds a project among these that is a direct or indirect copy of itself. */
export async function findCopyCycle(
  transaction: Transaction,
  ids: Iterable<number>,
): Promise<number | undefined> {
  for (const chunk of chunks(ids)) {
    const cycle = await transaction.first<{ id: number }>(
      sql`with recursive up (id, source) as (
            select id, copied_from from project where id in (${join(chunk)}) and copied_from is not null
            union
            select up.id, p.copied_from from up join project p on p.id = up.source
            where p.copied_from is not null and up.source <> up.id
          ) select id from up where source = id order by id limit 1`,
    );
    if (cycle) return cycle.id;
  }
  return undefined;
}
