// Creates projects and copies them. Each function runs within one transaction.

import sql, { type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid } from '#common/errors.ts';
import { type FindProblems, requiredText } from '#rest/fields.ts';
import { count, exists, type Reader, type Transaction } from '#sql';
import type { ActionOf } from '../../core/changes/change-kinds.ts';
import { adjustFileUsage, countBytes } from '../../core/changes/usage.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { isCollection } from '../../core/content-types.ts';
import type { PreparedFile } from '../../core/files/prepare.ts';
import { allowsRemixes } from '../../core/licenses.ts';
import { draft, isPubliclyReadable, removed } from '../../core/project-status.ts';
import { isTypeOffered } from '../../core/site/site-fields.ts';
import { authorize, authorizeAny, can } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { sortKey } from '../../core/words.ts';
import { newUuid, titleFromText, toSlug } from '../address.ts';
import { settleCollection } from '../collection-members.ts';
import { audiencesOf, findAudienceOfCopy, putIntoGroups } from '../hooks.ts';
import { defaultLicense, requireLicense } from '../licenses/rules.ts';
import { copyMedia } from '../media/media-rows.ts';
import { type Audience, type Project, type ProjectRow, projectLimits, toProject } from '../project.ts';
import {
  copiedColumns,
  initialColumns,
  type ProjectValues,
  toColumns,
  type WrittenName,
} from '../project-fields.ts';
import { projectTable } from '../tables.ts';
import {
  audienceOfComment,
  audienceOfCopy,
  forEverybody,
  isForGroup,
} from '../visibility/made-for-a-group.ts';
import {
  type CommentPlace,
  findThread,
  initialThread,
  type ThreadLocation,
} from '../visibility/thread-visibility.ts';
import { type ProjectAddress, readableBy, readableById } from '../visibility/visible-to.ts';
import { forbidRemovedStatus, lockReadableProject, type OwnedProject, requireOffered } from './changeable.ts';
import { requireDescriptions } from './descriptions.ts';
import { insertFiles } from './files.ts';
import { open } from './opening.ts';
import { lockContributorNames, lockProjects, storeProject } from './store.ts';

/** So many characters take far less than a millisecond. */
const maxIndependentLength = 2000;

/** See `WriteOptions`. */
export const isIndependentProject = ({
  title = '',
  text = '',
  tags = [],
  parent = null,
  visibility = 'public',
}: ProjectValues): boolean =>
  parent === null &&
  // It takes a place among the works of the group.
  !isForGroup({ visibility }) &&
  title.length + text.length + tags.join().length <= maxIndependentLength;

/** The alternative texts are in the order of the files. */
export async function createProject(
  write: WriteContext,
  values: ProjectValues,
  files: readonly PreparedFile[] = [],
  alts: readonly string[] = [],
): Promise<Project> {
  const project = await createInThread(write, values, (parent) => lockThread(write, parent));
  await insertFiles(write, project, files, alts);
  await requireDescriptions(write, undefined, project);
  return project;
}

/** Only a comment has a parent: for bodies that have both members. */
export const findProblems: FindProblems = (
  { content_type = 'text', parent = null },
  errors,
): ReturnType<FindProblems> => {
  if (errors.content_type || errors.parent) return {};
  if ((content_type === 'comment') === (parent !== null)) return {};
  return { parent: [parent === null ? requiredText : 'Only a comment has a parent.'] };
};

/** `loadThread` is called for a comment, with its parent, once the values are known to be valid. */
export async function createInThread(
  write: WriteContext,
  values: ProjectValues,
  loadThread: (parent: number) => CommentPlace | Promise<CommentPlace>,
): Promise<Project> {
  const { viewer } = write;
  authorizeAny(viewer, 'makeProject');
  const { parent = null } = values;
  forbidRemovedStatus(viewer, values.status);
  const place = parent === null ? undefined : await loadThread(parent);
  if (place) await requireRoomInThread(write.transaction, place);
  const row = {
    ...initialColumns,
    license: defaultLicense(viewer, values),
    ...toColumns(values),
    ...(place && { root: place.root, thread_visibility: place.thread_visibility }),
    ...(place && (await audienceOfComment(write, place))),
    source_license: null,
  };
  requireLicense(viewer, undefined, row);
  return insertProject(write, 'created', row);
}

async function requireRoomInThread(transaction: Transaction, { root }: ThreadLocation): Promise<void> {
  const { comments } = projectLimits;
  const limited = sql`from (select 1 from project where root = ${root} limit ${comments}) as counted`;
  if ((await count(transaction, limited)) >= comments)
    throw new Invalid({ non_field_errors: [apiText('maxComments', { max: comments })] });
}

/**
 * Locks what a comment replies to, and returns the thread that the comment joins. `isOpen`: the condition that the
 * viewer may open it.
 */
export async function lockThread(
  { transaction, viewer }: WriteContext,
  parent: number,
  isOpen: Sql = readableById(viewer),
): Promise<CommentPlace> {
  const [target] = await lockProjects(transaction, sql`id = ${parent} and ${isOpen}`);
  if (!target) throw new Invalid({ parent: [`Invalid pk "${parent}" - object does not exist.`] });
  authorize(viewer, 'comment', target.contributor);
  return findThread(target);
}

type CopiedProject = OwnedProject & Pick<Project, 'content_type' | 'visibility' | 'license'>;

/** Others copy only what is open to all, or to a group: `audienceOfCopy` decides to which. */
const staysHidden = (viewer: Viewer, project: CopiedProject): boolean =>
  project.contributor !== viewer.contributor &&
  (project.visibility === 'private' ||
    !isPubliclyReadable(project.status) ||
    (isForGroup(project) && audiencesOf(viewer).length === 0));

/** A removed project is not copied, not even by its owner: the copy would publish it again. */
function canCopy(viewer: Viewer, project: CopiedProject): boolean {
  const { contributor, status, content_type } = project;
  return (
    !staysHidden(viewer, project) &&
    can(viewer, 'copyProject', contributor) &&
    status !== removed &&
    !isCollection({ content_type }) &&
    isTypeOffered(viewer.offeredTypes, content_type) &&
    (contributor === viewer.contributor || allowsRemixes(project.license))
  );
}

/** The same for a project that the viewer reads; of what is for a group, its people copy it. */
export const mayCopy = async (reader: Reader, viewer: Viewer, project: Project): Promise<boolean> =>
  canCopy(viewer, project) &&
  (project.contributor === viewer.contributor ||
    !isForGroup(project) ||
    (await findAudienceOfCopy(reader, viewer, project)) !== undefined);

export function authorizeCopy(viewer: Viewer, project: CopiedProject): void {
  const { contributor, status } = project;
  authorize(viewer, 'copyProject', contributor);
  if (status === removed) throw new Forbidden(apiText('copyRemoved'));
  if (staysHidden(viewer, project)) throw new Forbidden(apiText('copyOfClass'));
  if (contributor !== viewer.contributor && !allowsRemixes(project.license))
    throw new Forbidden(apiText('noRemixes'));
}

/** A copy belongs to the viewer and is private at first; its source never changes. */
export async function copyProject(write: WriteContext, address: ProjectAddress): Promise<Project> {
  const { changeSet, viewer } = write;
  const source = await lockReadableProject(write, address);
  authorizeCopy(viewer, source);
  if (isCollection(source)) throw new Invalid({ non_field_errors: [apiText('copyCollection')] });
  if (source.content_type === 'comment') throw new Invalid({ non_field_errors: [apiText('copyComment')] });
  const project = await insertProject(write, 'copied', {
    ...initialColumns,
    ...copiedColumns(source),
    ...(await audienceOfCopy(write, source)),
    visibility: 'private',
    copied_from: source.id,
    // What the nearest ancestor with a licence asks for holds.
    source_license:
      source.contributor === viewer.contributor
        ? source.source_license
        : (source.license ?? source.source_license),
  });
  const files = await copyMedia(write.transaction, source.id, project.id);
  adjustFileUsage(changeSet, project.contributor, countBytes(files));
  return project;
}

/** Where a project that somebody brings from another gallery comes from. */
export interface ProjectOrigin
  extends Pick<ProjectRow, 'uuid' | 'created' | 'modified' | 'source_license' | keyof Audience> {
  /** Its source, if that was brought too. */
  readonly copied_from: number | null;
  /** A draft by default. */
  readonly status?: ProjectRow['status'];
}

/** A project of the viewer, with its dates as far as they are past, and no files yet. */
export async function importProject(
  write: WriteContext,
  values: ProjectValues,
  { created, modified, status = draft, ...origin }: ProjectOrigin,
): Promise<Project> {
  const { at } = write.changeSet;
  authorizeAny(write.viewer, 'makeProject');
  if (values.content_type === 'comment')
    throw new Invalid({ content_type: ['A comment cannot be brought.'] });
  const createdBefore = Math.min(created, at);
  return insertProject(write, 'created', {
    ...initialColumns,
    ...toColumns(values),
    ...origin,
    status,
    created: createdBefore,
    modified: Math.min(Math.max(modified, createdBefore), at),
    never_listed: 0,
  });
}

type NewProject = Pick<ProjectRow, WrittenName> &
  Partial<
    Pick<
      ProjectRow,
      | 'copied_from'
      | 'source_license'
      | 'uuid'
      | 'created'
      | 'modified'
      | 'never_listed'
      | keyof Audience
      | keyof ThreadLocation
    >
  >;

async function insertProject(write: WriteContext, action: ActionOf<'project'>, sent: NewProject) {
  const { transaction, changeSet, viewer } = write;
  const contributor = requireSignedIn(viewer);
  const values = settleCollection(undefined, sent);
  requireOffered(viewer, values.content_type);
  const [names, id] = await Promise.all([
    lockContributorNames(transaction, contributor),
    transaction.nextId(projectTable),
  ]);
  const row = await open(write, undefined, {
    root: null,
    thread_visibility: initialThread(values.content_type),
    removed_files: 0,
    never_listed: 1,
    answer: null,
    featured: null,
    source_license: null,
    ...forEverybody,
    asked_status: null,
    ends_set: values.ends === null ? null : changeSet.at,
    uuid: newUuid(),
    copied_from: null,
    created: changeSet.at,
    modified: changeSet.at,
    ...values,
    id,
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
    earned_karma: 0,
    trashed: null,
    trashed_by: null,
    trashed_status: null,
    record_modified: changeSet.at,
  });
  await storeProject(write, action, undefined, row, names);
  await putIntoGroups(write, row, sent.made_for ?? null);
  return toProject(row, names);
}

/** A comment on a project, or a reply to one of its comments. Without a title, it is taken from the text. */
export async function createComment(
  write: WriteContext,
  address: ProjectAddress,
  read: () => ProjectValues,
): Promise<Project> {
  const target = await lockReadableProject(write, address);
  authorize(write.viewer, 'comment', target.contributor);
  const thread = findThread(target);
  const { content_type = 'comment', ...values } = read();
  if (content_type !== 'comment') throw new Invalid({ content_type: ['This is the place for comments.'] });
  const parent = values.parent ?? target.id;
  // A comment that the viewer may not read gets the sentence of one that never was.
  const isOpen = readableBy(write.viewer);
  const sameThread = sql`from project where id = ${parent} and root = ${thread.root} and ${isOpen}`;
  if (parent !== target.id && !(await exists(write.transaction, sameThread)))
    throw new Invalid({ parent: [apiText('otherThread')] });
  const title = values.title ?? titleFromText(values.text ?? '');
  return createInThread(write, { ...values, content_type, parent, title }, () =>
    parent === target.id ? thread : lockThread(write, parent, isOpen),
  );
}
