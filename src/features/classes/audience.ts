// Work that is made for a class stays there: copies of what classmates have made, and what is said about works of the class.

import sql, { join, type Sql } from 'sql-template-tag';
import { type ApiText, apiText } from '#common/api-text.ts';
import { Conflict, Invalid } from '#common/errors.ts';
import { exists, first, integer, type Reader } from '#sql';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { inTrash, isPubliclyReadable, waiting } from '../../core/project-status.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { AddressedProject, CommentedProject } from '../../projects/hooks.ts';
import type { Audience, ProjectRow } from '../../projects/project.ts';
import { classesOf, isFromMakerSql, isPersonSql, isTeacherSql } from './class-people.ts';
import { isForClassSql, staysInClassSql } from './readable.ts';

const collectionColumn = { collection: integer(sql`item.collection`) };

/** Of a class in a query: the one that looks after the contributor comes first. */
const lookingAfterFirst = (collection: Sql, contributor: number): Sql =>
  sql`case when ${collection} = (select looked_after_by from account where account.contributor = ${contributor}) then 0 else 1 end`;

/** The classes that have the work from its maker, and read it while it is for a class. */
const itemsFromMaker = (project: number): Sql =>
  sql`from collection_item as item join project as work on work.id = item.project
    join project as class on class.id = item.collection and class.kind = 'class'
    where item.project = ${project} and item.state = 'included' and ${isFromMakerSql('item', 'work')}`;

/** Whether a class has it. */
export const isInClass = (reader: Reader, { id }: Pick<ProjectRow, 'id'>): Promise<boolean> =>
  exists(reader, itemsFromMaker(id));

/** Whether it has it while it waits to be seen by everybody. */
export const staysInClass = (reader: Reader, { id }: Pick<ProjectRow, 'id'>): Promise<boolean> =>
  exists(reader, sql`${itemsFromMaker(id)} and ${staysInClassSql('work')}`);

/** Of the classes that read the work, one of the viewer, if there is one, or else the one that looks after its maker. */
async function findClass(
  reader: Reader,
  viewer: Viewer,
  { id, contributor }: Pick<ProjectRow, 'id' | 'contributor'>,
): Promise<number | undefined> {
  const own = join([viewer.lookedAfterBy ?? 0, ...classesOf(viewer)]);
  const row = await first(reader, collectionColumn)`${itemsFromMaker(id)}
    order by case when item.collection = ${viewer.lookedAfterBy ?? 0} then 0 when item.collection in (${own}) then 1 else 2 end,
      ${lookingAfterFirst(sql`item.collection`, contributor)}, item.collection
    limit 1`;
  return row?.collection;
}

/** Only the people of a class that reads it copy what is not open to all, and the copy stays in the class. */
export async function audienceOfCopy(
  reader: Reader,
  viewer: Viewer,
  source: Pick<ProjectRow, 'id' | 'contributor'>,
): Promise<Audience | undefined> {
  const made_for = await findClass(reader, viewer, source);
  if (made_for === undefined || !classesOf(viewer).includes(made_for)) return undefined;
  const isTeachers = await exists(reader, isTeacherSql(sql`${source.contributor}`, sql`${made_for}`));
  return { made_for, source_maker: isTeachers ? 'teacher' : 'classmate' };
}

export async function audienceOfComments(
  { transaction, viewer }: WriteContext,
  project: CommentedProject,
): Promise<number | undefined> {
  const isForClass = sql`from project where id = ${project.id} and ${isForClassSql('project')}`;
  return project.kind !== 'class' && (await exists(transaction, isForClass))
    ? findClass(transaction, viewer, project)
    : undefined;
}

/** Nobody writes to a child where its teachers do not see it. In another class, these are the teachers of that one. */
export async function refuseUnseen(
  reader: Reader,
  viewer: Viewer,
  { id, contributor, visibility, status }: AddressedProject,
  person: number,
): Promise<ApiText | undefined> {
  if (person === viewer.contributor || !(await isLookedAfter(reader, person))) return undefined;
  const isIn = sql`${itemsFromMaker(id)} and ${isForClassSql('work')}
    and exists (select 1 ${isPersonSql(sql`${person}`, sql`item.collection`)})`;
  const isClass = isPersonSql(sql`${person}`, sql`${id}`);
  const isSeen =
    isPubliclyReadable(status) && visibility === 'class'
      ? (await exists(reader, isIn)) || (await exists(reader, isClass))
      : // Unlisted work is found by its address only, once it is approved.
        status === waiting
        ? (visibility !== 'private' && person === contributor) || (await exists(reader, isIn))
        : visibility === 'public' && isPubliclyReadable(status);
  return isSeen ? undefined : apiText('unseenByTeachers');
}

/** A work or a comment says from now on for which class it is. Only moderators make classes. */
export async function noteClass(
  write: WriteContext,
  before: ProjectRow | undefined,
  row: ProjectRow,
): Promise<ProjectRow> {
  const { viewer } = write;
  if (!before && row.kind === 'class') authorize(viewer, 'makeClass', row.contributor);
  return row.content_type === 'comment' ? keepComment(write, row) : noteClassOfWork(viewer, row);
}

/** The author of a comment may only hide it from the class. */
async function keepComment({ transaction }: WriteContext, row: ProjectRow): Promise<ProjectRow> {
  const { visibility, root, contributor } = row;
  if (row.made_for === null && visibility !== 'class') return row;
  const made_for = row.made_for ?? (await findClassOf(transaction, contributor, root));
  if (made_for === undefined) throw new Invalid({ visibility: [apiText('noClassHere')] });
  if (made_for !== root)
    return { ...row, made_for, visibility: visibility === 'private' ? 'private' : 'class' };
  const isClass = await exists(transaction, sql`from project where id = ${root} and kind = 'class'`);
  return { ...row, made_for, visibility: isClass ? 'class' : 'private' };
}

/** A class of the person that is this project, or has it; for a child, the one that looks after it, if it may be that. */
async function findClassOf(
  reader: Reader,
  contributor: number,
  project: number | null,
): Promise<number | undefined> {
  const row = await first(reader, { collection: integer(sql`id`) })`from project as class
    where kind = 'class' and exists (select 1 ${isPersonSql(sql`${contributor}`, sql`class.id`)})
      and (id = ${project} or exists (select 1 from collection_item as item
        where item.collection = class.id and item.project = ${project} and item.state = 'included'))
    order by ${lookingAfterFirst(sql`class.id`, contributor)}, id limit 1`;
  return row?.collection;
}

function noteClassOfWork(viewer: Viewer, row: ProjectRow): ProjectRow {
  if (row.visibility !== 'class' || row.made_for !== null) return row;
  const [collection = null] = [viewer.lookedAfterBy ?? [], classesOf(viewer)].flat();
  return viewer.contributor === row.contributor ? { ...row, made_for: collection } : row;
}

/** A class that looks after accounts is not thrown away. */
export async function keepLookedAfter({ transaction }: Write, before: ProjectRow, after: ProjectRow) {
  if (before.kind !== 'class' || after.status !== inTrash || before.status === inTrash) return;
  if (await exists(transaction, sql`from account where looked_after_by = ${before.id}`))
    throw new Conflict(apiText('looksAfter'));
}
