// After the rows of a dump are in: what is kept of them in other places, and what their figures mean. The figures
// that a project's line brings are its whole; what its copies, comments and ratings account for was earned, and the
// rest is its opening balance. The figures of projects that the dump does not name stay as they are, but for
// the ratings that it brings them.

import sql, { join, type Sql } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { chunks } from '../chunks.ts';
import { earnedSql, ratingCountSql, ratingSumSql } from '../projects/karma.ts';
import { recomputeThreads } from '../projects/thread-visibility.ts';

interface AffectedProjects {
  /** Projects whose lines came; all of the gallery's if it was empty before. */
  readonly imported: ReadonlySet<number> | 'all';
  /** Projects of which a line speaks, or spoke before it was replaced. */
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

/** Takes the figures for the whole, and finds the opening balance in them. */
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

/** Ratings add to what there was; copies and comments that came with a dump were earned elsewhere. */
async function recomputeReferencedFigures(transaction: Transaction, ids: number[]): Promise<void> {
  const newRatingSum = sql`(${ratingSumSql} - (rating_sum - opening_rating_sum))`;
  await transaction.run(
    sql`update project set opening_karma = opening_karma + earned + ${newRatingSum} - ${earnedSql}, earned = ${earnedSql},
          rating_count = opening_rating_count + ${ratingCountSql}, rating_sum = opening_rating_sum + ${ratingSumSql}
        where id in (${join(ids)})`,
  );
  await transaction.run(
    sql`update project set karma = case when opening_karma + earned > 0 then opening_karma + earned else 0 end
        where id in (${join(ids)})`,
  );
}

/** A project that is its own source's source, by however many steps; undefined if there is none among these. */
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
