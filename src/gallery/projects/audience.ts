// For whom something was made: decided when it is written, kept with the row, and carried by copies. `made_for` is the class
// that a work was made for; of a comment, it is the project whose people read it: a class, or else hidden work, whose people
// are its maker and those who review it. `source_maker` is set for a copy of what somebody else made for the class.

import sql, { join } from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { Forbidden } from '../../common/errors.ts';
import { integer, pick } from '../../database/columns.ts';
import type { Reader } from '../../database/database.ts';
import { exists, first } from '../../database/query.ts';
import type { WriteContext } from '../changes/write.ts';
import { classesOf, isLookedAfter, isLookedAfterSql, isTeacherSql } from '../class-people.ts';
import { draft, isPubliclyReadable, waiting } from '../project-status.ts';
import type { Viewer } from '../viewer.ts';
import { type ProjectRow, projectColumns } from './project.ts';
import { type CommentPlace, restrictedThread } from './thread-visibility.ts';
import { isOpen } from './visibility.ts';

export type Audience = Pick<ProjectRow, 'made_for' | 'source_maker'>;

export const forEverybody: Audience = { made_for: null, source_maker: null };

export const isForFew = ({ visibility }: Pick<ProjectRow, 'visibility'>) =>
  visibility === 'private' || visibility === 'class';

/** Whether more people than a class see it. */
export const isOpenToAll = (project: ProjectRow): boolean =>
  isOpen(project) && project.visibility !== 'class' && project.thread_visibility < restrictedThread;

/** Now, or at a time that is set. */
export const opensToAll = (project: ProjectRow): boolean =>
  isOpenToAll(project) || (project.status === draft && project.publish_at !== null && !isForFew(project));

const collectionColumn = { collection: integer() };

/** Of the classes that have the work from its maker, one of the viewer, if there is one. */
async function findClass(
  reader: Reader,
  viewer: Viewer,
  { id, contributor }: Pick<ProjectRow, 'id' | 'contributor'>,
): Promise<number | undefined> {
  const own = join([viewer.lookedAfterBy ?? 0, ...classesOf(viewer)]);
  const row = await first(reader, collectionColumn)`from collection_item
    where project = ${id} and state = 'included' and added_by = ${contributor}
      and collection in (select id from project where kind = 'class')
    order by case when collection = ${viewer.lookedAfterBy ?? 0} then 0 when collection in (${own}) then 1 else 2 end, collection
    limit 1`;
  return row?.collection;
}

/** Of the copy that the viewer makes. Only the people of a class copy what is not open to all, and it stays in the class. */
export async function audienceOfCopy(
  { transaction, viewer }: WriteContext,
  source: ProjectRow,
): Promise<Audience> {
  if (isOpenToAll(source)) return forEverybody;
  const { contributor, made_for, source_maker } = source;
  if (contributor === viewer.contributor) return { made_for, source_maker };
  const lookedAfterBy = await first(transaction, { collection: integer(sql`looked_after_by`) })`
    ${isLookedAfterSql(sql`${contributor}`)}`;
  const collection = source_maker
    ? made_for
    : ((source.status === waiting ? undefined : await findClass(transaction, viewer, source)) ??
      lookedAfterBy?.collection);
  if (!classesOf(viewer).some((id) => id === collection)) throw new Forbidden(apiText('copyOfClass'));
  const isTeachers =
    source_maker !== 'classmate' &&
    (await exists(transaction, isTeacherSql(sql`${contributor}`, sql`${collection}`)));
  return { made_for: collection ?? null, source_maker: isTeachers ? 'teacher' : 'classmate' };
}

const rootColumns = pick(projectColumns, 'id', 'contributor', 'visibility', 'status', 'kind');

/** Of a comment: that of the comment that it answers, or else that of its project as it is now. */
export async function audienceOfComment(
  { transaction, viewer }: WriteContext,
  { root, thread_visibility, answered }: CommentPlace,
): Promise<Partial<Pick<ProjectRow, 'made_for' | 'visibility'>>> {
  const { content_type, visibility, made_for } = answered;
  if (content_type === 'comment' && (visibility === 'class' || made_for === root)) return { made_for };
  if (content_type === 'comment' && visibility === 'private') return { visibility };
  if (thread_visibility < restrictedThread) return {};
  const project = await first(transaction, rootColumns)`from project where id = ${root}`;
  if (!project || project.kind === 'class' || project.visibility !== 'class' || !isOpen(project)) {
    if (project && project.contributor !== viewer.contributor && isUnseen(project))
      await refuseToChild(transaction, project);
    return { made_for: root };
  }
  return { made_for: (await findClass(transaction, viewer, project)) ?? root };
}

/** Whether the teachers of its maker do not see it. */
const isUnseen = ({ visibility, status }: Pick<ProjectRow, 'visibility' | 'status'>): boolean =>
  visibility === 'private' || !(isPubliclyReadable(status) || status === waiting);

/** Nobody writes to a child where its teachers do not see it. */
async function refuseToChild(
  transaction: Reader,
  { contributor }: Pick<ProjectRow, 'contributor'>,
): Promise<void> {
  if (await isLookedAfter(transaction, contributor)) throw new Forbidden(apiText('unseenByTeachers'));
}

/** A comment keeps the audience for which it was written, or written anew; its author may only hide it from a class. */
export async function keepAudience(
  write: WriteContext,
  before: ProjectRow | undefined,
  row: ProjectRow,
): Promise<ProjectRow> {
  const { content_type, visibility, root, thread_visibility } = row;
  if (content_type !== 'comment') return row;
  const isWrittenAnew = row.made_for === null && before !== undefined && before.text !== row.text;
  const answered = { content_type: 'text', visibility, made_for: null } as const;
  const { made_for = row.made_for } = isWrittenAnew
    ? await audienceOfComment(write, { root, thread_visibility, answered })
    : row;
  if (made_for === null) return row;
  if (made_for !== root)
    return { ...row, made_for, visibility: visibility === 'private' ? 'private' : 'class' };
  const isClass = await exists(write.transaction, sql`from project where id = ${root} and kind = 'class'`);
  return { ...row, made_for, visibility: isClass ? 'class' : 'private' };
}

/** A work says from now on that it was made for a class. */
export function noteClass(viewer: Viewer, row: ProjectRow): ProjectRow {
  if (row.content_type === 'comment' || row.visibility !== 'class' || row.made_for !== null) return row;
  const [collection = null] = [viewer.lookedAfterBy ?? [], classesOf(viewer)].flat();
  return viewer.contributor === row.contributor ? { ...row, made_for: collection } : row;
}

/**
 * Throws if a write would open what is hidden, and is not its maker's own act, the approval of what they have sent, or the end of a
 * removal. What holds a classmate's work never leaves the class.
 */
export function refuseToOpen(viewer: Viewer, before: ProjectRow | undefined, after: ProjectRow): void {
  if (viewer.contributor === null) return;
  if (after.source_maker === 'classmate' && !isForFew(after) && (!before || isForFew(before)))
    throw new Forbidden(apiText('copyOfClass'));
  if (viewer.contributor === after.contributor || !before) return;
  const isWidened = byReaders.indexOf(after.visibility) > byReaders.indexOf(before.visibility);
  if (isWidened || (before.status === draft && isOpen(after))) throw new Forbidden(apiText('openedByMaker'));
}

/** From the fewest readers to the most. */
const byReaders: readonly ProjectRow['visibility'][] = ['private', 'class', 'unlisted', 'public'];

/** Whether a copy may be in this class or collection. */
export const maySitIn = (project: ProjectRow, collection: number): boolean =>
  project.source_maker === null || isOpenToAll(project) || project.made_for === collection;
