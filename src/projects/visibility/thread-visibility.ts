// A comment is at most as visible as its project: its column `thread_visibility` holds how much its project hides.
// The numbers are stored, and a higher one hides more. The SQL holds them as literal text, because planners match a
// partial index only by its text.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { type ContentType, isCollection } from '../../core/content-types.ts';
import { archived, draft, hasStatus, inTrash, removed, waiting } from '../../core/project-status.ts';
import type { ProjectRow } from '../project.ts';

/** The project hides nothing. */
export const listedThread = 0;
/** Its comments are in no listing. */
export const unlistedThread = 1;
/** Visitors may not read its comments; who may read the project may. */
export const restrictedThread = 2;
/** Nobody may read them. */
export const hiddenThread = 3;

/** The first rule that a project meets says what its thread is; otherwise the thread is listed. */
const rules = [
  { thread: hiddenThread, statuses: [inTrash] },
  { thread: restrictedThread, statuses: [draft, removed, waiting], visibilities: ['private', 'class'] },
  { thread: unlistedThread, statuses: [archived], visibilities: ['unlisted'] },
] as const satisfies readonly {
  readonly thread: number;
  readonly statuses: readonly ProjectRow['status'][];
  readonly visibilities?: readonly ProjectRow['visibility'][];
}[];

export function threadVisibility(project: Pick<ProjectRow, 'visibility' | 'status'>): number {
  const rule = rules.find(
    ({ statuses, ...rule }) =>
      statuses.some((status) => status === project.status) ||
      ('visibilities' in rule && rule.visibilities.some((visibility) => visibility === project.visibility)),
  );
  return rule?.thread ?? listedThread;
}

const cases = rules.map(({ thread, statuses, ...rule }) => {
  const condition = hasStatus(statuses, 'r.status').sql;
  const orVisibility =
    'visibilities' in rule
      ? ` or r.visibility in (${rule.visibilities.map((visibility) => `'${visibility}'`).join(', ')})`
      : '';
  return raw(`when ${condition}${orVisibility} then ${thread}`);
});

/** A collection is in no listing that does not ask for it. */
export const initialThread = (content_type: ContentType): number =>
  isCollection({ content_type }) ? unlistedThread : listedThread;

/** The same for a row, by the project of a comment. */
export const threadVisibilitySql = sql`case when content_type = 'collection' then ${raw(String(unlistedThread))} else coalesce((
  select case ${join(cases, ' ')} else ${raw(String(listedThread))} end
  from project r where r.id = project.root), ${raw(String(listedThread))}) end`;

/** The condition that the row is no comment, or one in such a thread. */
export const hasThreadVisibility = (thread: number): Sql => raw(`thread_visibility = ${thread}`);
/** The condition that the row is no comment, or one in a thread that hides less. */
export const hidesLessThan = (thread: number): Sql => raw(`thread_visibility < ${thread}`);

/** The thread that a comment belongs to: the project at its root, and how much that hides. */
export type ThreadLocation = Pick<ProjectRow, 'root' | 'thread_visibility'>;

/** The thread, and the project or comment that the comment answers. */
export interface CommentPlace extends ThreadLocation {
  readonly answered: Pick<
    ProjectRow,
    'content_type' | 'contributor' | 'visibility' | 'status' | 'made_for' | 'root'
  >;
}

/** The thread of a comment on this project or comment. */
export function findThread(answered: ProjectRow): CommentPlace {
  if (answered.content_type !== 'comment')
    return { root: answered.id, thread_visibility: threadVisibility(answered), answered };
  return { root: answered.root, thread_visibility: answered.thread_visibility, answered };
}
