// A comment is at most as visible as its project: the column `veil` of each comment holds how much its project hides.

import sql, { raw } from 'sql-template-tag';
import { integer, pick } from '../../database/columns.ts';
import type { Transaction } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { tagCountTable } from '../../database/schema.ts';
import type { ChangeSet } from '../changes/transact.ts';
import { type ProjectRow, projectColumns } from './columns.ts';
import { countTag, moveCount } from './project-counts.ts';
import { archived, draft, hasStatus, inTrash, isPublished, removed } from './status.ts';
import { nextVersionSql } from './version.ts';

/**
 * How much a project hides of its comments. 0: nothing; 1: they are in no listing; 2: only the project's contributor
 * and moderators may read them; 3: nobody may.
 */
export function threadVisibility({ visibility, status }: Pick<ProjectRow, 'visibility' | 'status'>): number {
  if (status === inTrash) return 3;
  if (visibility === 'private' || status === draft || status === removed) return 2;
  return visibility === 'unlisted' || status === archived ? 1 : 0;
}

/** The thread that a comment belongs to: the project at its root, and how much that hides. */
export type Thread = Pick<ProjectRow, 'root' | 'veil'>;

/** The thread of a comment on this project or comment. */
export function findThread(target: ProjectRow): Thread {
  if (target.content_type !== 'comment') return { root: target.id, veil: threadVisibility(target) };
  return { root: target.root, veil: target.veil };
}

const count = integer(sql`count(*)`);
const groupColumns = { ...pick(projectColumns, 'visibility', 'status', 'veil', 'content_type'), count };
const tagColumns = { ...tagCountTable.columns, count };

export async function updateThreadVisibility(
  transaction: Transaction,
  changeSet: ChangeSet,
  before: ProjectRow,
  after: ProjectRow,
): Promise<void> {
  const visibility = threadVisibility(after);
  if (visibility === threadVisibility(before)) return;
  const groups = await transaction.all(
    select(
      groupColumns,
      sql`from project where root = ${after.id}
          group by visibility, status, veil, content_type order by 1, 2, 3, 4`,
    ),
  );
  if (groups.length === 0) return;
  const listedChange = (visibility === 0 ? 1 : 0) - (threadVisibility(before) === 0 ? 1 : 0);
  if (listedChange !== 0) {
    const tags = await transaction.all(
      select(
        tagColumns,
        sql`from tag where project in (
              select id from project where root = ${after.id} and visibility = 'public' and ${isPublished}
            ) group by tag_key order by tag_key`,
      ),
    );
    for (const { tag_key, count } of tags) countTag(changeSet, tag_key, listedChange * count);
  }
  await transaction.run(
    sql`update project set veil = ${visibility},
          touched = ${nextVersionSql(changeSet.at)} where root = ${after.id}`,
  );
  for (const group of groups) moveCount(changeSet, group.count, group, { ...group, veil: visibility });
  changeSet.add({ action: 'veiled', kind: 'thread', subject: after.id, owner: after.contributor });
}

const maxThreadDepth = 10_000;

/** The project that a comment's thread belongs to: the first ancestor that is not a comment. */
export const rootSql = sql`(
  with recursive up (id, parent, content_type, steps) as (
    select p.id, p.parent, p.content_type, 1 from project p where p.id = project.parent
    union all
    select p.id, p.parent, p.content_type, up.steps + 1 from project p join up on p.id = up.parent
    where up.content_type = 'comment' and up.steps < ${raw(String(maxThreadDepth))}
  )
  select id from up where content_type <> 'comment' limit 1
)`;

export const threadVisibilitySql = sql`coalesce((
  select case when ${hasStatus([inTrash], 'r.status')} then 3
              when r.visibility = 'private' or ${hasStatus([draft, removed], 'r.status')} then 2
              when r.visibility = 'unlisted' or ${hasStatus([archived], 'r.status')} then 1 else 0 end
  from project r where r.id = project.root), 0)`;

/** Recomputes the threads of all comments, after a bulk load. */
export async function recomputeThreads(transaction: Transaction): Promise<void> {
  await transaction.run(
    sql`update project set root = ${rootSql} where content_type = 'comment' and parent is not null`,
  );
  await transaction.run(sql`update project set veil = ${threadVisibilitySql} where root is not null`);
}
