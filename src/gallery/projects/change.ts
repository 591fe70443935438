// Changes projects. Each function runs within one transaction, starts from what the viewer may see, and checks the
// table of permissions.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { exists } from '../../database/query.ts';
import { projectTable } from '../../database/schema.ts';
import { Forbidden, Invalid, NotFound, Outdated } from '../../errors.ts';
import { type PartialValues, requiredMessage } from '../../fields.ts';
import type { ChangeSet } from '../changes/transact.ts';
import type { ContributorNames } from '../contributors/contributor.ts';
import { copyMedia } from '../media/store.ts';
import { recordProjectDecision } from '../moderation/project-decision.ts';
import { authorize, authorizeAny } from '../permissions.ts';
import type { Viewer } from '../viewer.ts';
import { sortKey } from '../words.ts';
import type { ProjectRow } from './columns.ts';
import { titleFromText } from './comment-title.ts';
import type { projectFields } from './fields.ts';
import type { Project } from './project.ts';
import { toSlug } from './slug.ts';
import { draft, inTrash, published, removed } from './status.ts';
import { lockContributorNames, lockProjects, storeProject } from './store.ts';
import { formatTags } from './tags.ts';
import { threadVisibility } from './thread-visibility.ts';
import { newUuid } from './uuid.ts';
import { nextVersion } from './version.ts';
import { readableBy, trashVisibleTo } from './visibility.ts';

type ProjectValues = PartialValues<typeof projectFields>;

/** A transaction, what it has changed so far, and who makes the change. */
export interface WriteContext {
  readonly transaction: Transaction;
  readonly changeSet: ChangeSet;
  readonly viewer: Viewer;
  /** A moderator's reason for the change. */
  readonly reason?: string;
}

export const requireSignedIn = ({ contributor }: Viewer): number => {
  if (contributor === null) throw new Error('a visitor has come too far');
  return contributor;
};

export const toProject = (row: ProjectRow, names: ContributorNames): Project => ({
  ...row,
  ...names,
  status: row.status as Project['status'],
});

/** Loads a project that the viewer may see, and locks its row. */
export async function lockReadableProject(
  { transaction, viewer }: WriteContext,
  id: number,
): Promise<ProjectRow> {
  const [project] = await lockProjects(transaction, sql`id = ${id} and ${readableBy(viewer)}`);
  if (!project) throw new NotFound();
  return project;
}

/** Called with the version that is about to be changed. */
export type VersionCheck = (version: number) => boolean;
export const anyVersion: VersionCheck = () => true;

export async function createProject(write: WriteContext, values: ProjectValues): Promise<Project> {
  const { changeSet, viewer } = write;
  authorizeAny(viewer, 'makeProject');
  const { content_type = 'text', parent = null } = values;
  forbidRemovedStatus(viewer, values);
  if (content_type === 'comment' && parent === null) throw new Invalid({ parent: [requiredMessage] });
  if (content_type !== 'comment' && parent !== null)
    throw new Invalid({ parent: ['Only a comment has a parent.'] });
  const thread = parent === null ? undefined : await lockParent(write, parent);
  return insertProject(write, 'created', {
    title: values.title ?? '',
    text: values.text ?? '',
    tags: formatTags(values.tags ?? []),
    visibility: values.visibility ?? 'public',
    status: values.status ?? published,
    content_type,
    link: values.link ?? null,
    copied_from: null,
    parent,
    created: changeSet.at,
    ...thread,
  });
}

/** A comment on a project, or a reply to one of its comments. Without a title, it is taken from the text. */
export async function createComment(
  write: WriteContext,
  id: number,
  read: () => ProjectValues,
): Promise<Project> {
  const target = await lockReadableProject(write, id);
  authorize(write.viewer, 'comment', target.contributor);
  const { content_type = 'comment', ...values } = read();
  if (content_type !== 'comment') throw new Invalid({ content_type: ['This is the place for comments.'] });
  const parent = values.parent ?? id;
  if (parent !== id && !(await isInThread(write, parent, target)))
    throw new Invalid({ parent: ['This comment belongs to another thread.'] });
  return createProject(write, {
    ...values,
    content_type,
    parent,
    title: values.title ?? titleFromText(values.text ?? ''),
  });
}

/** Whether the comment is in the thread of the project, or in the same thread as the comment. */
function isInThread({ transaction }: WriteContext, comment: number, target: ProjectRow): Promise<boolean> {
  const thread = target.content_type === 'comment' ? target.root : target.id;
  return exists(transaction, sql`from project where id = ${comment} and root = ${thread}`);
}

/** Locks what a comment replies to, and returns the thread that the comment joins. */
async function lockParent(write: WriteContext, parent: number): Promise<Pick<ProjectRow, 'root' | 'veil'>> {
  const { transaction, viewer } = write;
  const [target] = await lockProjects(transaction, sql`id = ${parent} and ${readableBy(viewer)}`);
  if (!target) throw new Invalid({ parent: [`Invalid pk "${parent}" - object does not exist.`] });
  authorize(viewer, 'comment', target.contributor);
  if (target.content_type !== 'comment') return { root: target.id, veil: threadVisibility(target) };
  return { root: target.root, veil: target.veil };
}

type NewProject = Pick<
  ProjectRow,
  | 'title'
  | 'text'
  | 'tags'
  | 'visibility'
  | 'status'
  | 'content_type'
  | 'link'
  | 'copied_from'
  | 'parent'
  | 'created'
> &
  Partial<Pick<ProjectRow, 'root' | 'veil'>>;

async function insertProject(
  { transaction, changeSet, viewer }: WriteContext,
  action: string,
  values: NewProject,
): Promise<Project> {
  const contributor = requireSignedIn(viewer);
  const [names, id] = await Promise.all([
    lockContributorNames(transaction, contributor),
    transaction.nextId(projectTable),
  ]);
  const row: ProjectRow = {
    root: null,
    veil: 0,
    ...values,
    id,
    uuid: newUuid(),
    slug: toSlug(values.title),
    title_key: sortKey(values.title),
    contributor,
    last_name_key: names.last_name_key,
    rating_count: 0,
    rating_sum: 0,
    karma: 0,
    opening_rating_count: 0,
    opening_rating_sum: 0,
    opening_karma: 0,
    earned: 0,
    trashed: null,
    trashed_by: null,
    trashed_status: null,
    modified: changeSet.at,
    touched: changeSet.at,
  };
  await storeProject(transaction, changeSet, action, undefined, row, names);
  return toProject(row, names);
}

/** Loads a project that the viewer may change, and locks its row. */
export async function lockChangeableProject(
  write: WriteContext,
  id: number,
  matchesVersion: VersionCheck,
): Promise<ProjectRow> {
  const before = await lockReadableProject(write, id);
  authorize(write.viewer, 'changeProject', before.contributor);
  if (before.status === removed) authorize(write.viewer, 'removeProject', before.contributor);
  if (!matchesVersion(before.touched)) throw new Outdated();
  return before;
}

/** Omitted values stay. `read` is called once the viewer is authorized. */
export async function changeProject(
  write: WriteContext,
  id: number,
  matchesVersion: VersionCheck,
  read: (before: ProjectRow) => ProjectValues,
): Promise<Project> {
  const { viewer } = write;
  const before = await lockChangeableProject(write, id, matchesVersion);
  const { parent: _, ...values } = read(before);
  forbidRemovedStatus(viewer, values);
  if (values.status === removed) authorize(viewer, 'removeProject', before.contributor);
  if (
    values.content_type !== undefined &&
    (values.content_type === 'comment') !== (before.content_type === 'comment')
  )
    throw new Invalid({ content_type: ['A comment stays a comment, and nothing else becomes one.'] });
  const after: ProjectRow = {
    ...before,
    ...values,
    tags: values.tags ? formatTags(values.tags) : before.tags,
  };
  return saveIfChanged(write, before, after);
}

function forbidRemovedStatus({ isModerator }: Viewer, { status }: ProjectValues): void {
  if (status === removed && !isModerator) throw new Invalid({ status: ['"3" is not a valid choice.'] });
}

const comparedColumns = ['title', 'text', 'tags', 'visibility', 'status', 'content_type', 'link'] as const;

async function saveIfChanged(write: WriteContext, before: ProjectRow, after: ProjectRow): Promise<Project> {
  // Sending a project back unchanged changes nothing, not even its `modified`.
  if (comparedColumns.every((name) => before[name] === after[name])) return loadUnchanged(write, before);
  return saveChanged(write, before, after);
}

export async function loadUnchanged({ transaction }: WriteContext, before: ProjectRow): Promise<Project> {
  return toProject(before, await lockContributorNames(transaction, before.contributor));
}

/** Saves a project because something that belongs to it has changed. */
export function touchProject(write: WriteContext, before: ProjectRow): Promise<Project> {
  return saveChanged(write, before, before);
}

async function saveChanged(write: WriteContext, before: ProjectRow, after: ProjectRow): Promise<Project> {
  const { transaction, changeSet } = write;
  const names = await lockContributorNames(transaction, before.contributor);
  const titleChanged = before.title !== after.title;
  const row: ProjectRow = {
    ...after,
    ...(titleChanged && { slug: toSlug(after.title), title_key: sortKey(after.title) }),
    modified: Math.max(changeSet.at, before.modified + 1),
    touched: nextVersion(before, changeSet.at),
  };
  const action = changeAction(before, after);
  await storeProject(transaction, changeSet, action, before, row, names);
  if (action !== 'changed') await recordProjectDecision(write, action, before);
  return toProject(row, names);
}

const changeAction = (before: ProjectRow, after: ProjectRow): 'changed' | 'removed' | 'restored' => {
  if (before.status === after.status) return 'changed';
  if (after.status === removed) return 'removed';
  return before.status === removed ? 'restored' : 'changed';
};

export async function moveToTrash(
  write: WriteContext,
  id: number,
  matchesVersion: VersionCheck,
): Promise<void> {
  const { transaction, changeSet, viewer } = write;
  const before = await lockReadableProject(write, id);
  authorize(viewer, 'trashProject', before.contributor);
  if (before.status === removed) authorize(viewer, 'removeProject', before.contributor);
  if (!matchesVersion(before.touched)) throw new Outdated();
  const after: ProjectRow = {
    ...before,
    status: inTrash,
    trashed: changeSet.at,
    trashed_by: requireSignedIn(viewer),
    trashed_status: before.status,
    touched: nextVersion(before, changeSet.at),
  };
  const names = await lockContributorNames(transaction, before.contributor);
  await storeProject(transaction, changeSet, 'trashed', before, after, names);
  if (before.contributor !== viewer.contributor) await recordProjectDecision(write, 'trashed', before);
}

/** Only moderators restore what somebody else moved to the trash. */
export async function restoreFromTrash(write: WriteContext, id: number): Promise<Project> {
  const { transaction, changeSet, viewer } = write;
  authorizeAny(viewer, 'restoreProject');
  const contributor = requireSignedIn(viewer);
  const [before] = await lockProjects(transaction, sql`id = ${id} and ${trashVisibleTo(viewer)}`);
  if (!before) throw new NotFound();
  authorize(viewer, 'restoreProject', before.contributor);
  if (before.trashed_by !== contributor && !viewer.isModerator) throw new Forbidden();
  const after: ProjectRow = {
    ...before,
    status: before.trashed_status ?? draft,
    trashed: null,
    trashed_by: null,
    trashed_status: null,
    touched: nextVersion(before, changeSet.at),
  };
  const names = await lockContributorNames(transaction, before.contributor);
  await storeProject(transaction, changeSet, 'restored', before, after, names);
  if (before.contributor !== contributor) await recordProjectDecision(write, 'returned', before);
  return toProject(after, names);
}

/** A copy belongs to the viewer and is private at first; its source never changes. */
export async function copyProject(write: WriteContext, id: number): Promise<Project> {
  const { changeSet, viewer } = write;
  const source = await lockReadableProject(write, id);
  authorize(viewer, 'copyProject', source.contributor);
  if (source.content_type === 'comment')
    throw new Invalid({ non_field_errors: ['A comment cannot be copied.'] });
  const { title, text, tags, content_type, link } = source;
  const project = await insertProject(write, 'copied', {
    title,
    text,
    tags,
    content_type,
    link,
    visibility: 'private',
    status: published,
    parent: null,
    copied_from: source.id,
    created: changeSet.at,
  });
  await copyMedia(write.transaction, source.id, project.id);
  return project;
}
