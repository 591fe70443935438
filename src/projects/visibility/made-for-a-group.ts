// For whom something was made: decided when it is written, kept with the row, and carried by copies. `made_for` is the group
// of people that a work was made for; of a comment, it is the project whose people read it: the group, or else
// hidden work, whose people are its maker and those who review it. `source_maker` is set for a copy of what somebody else made
// for the group. Features say who belongs to a group.

import { type ApiText, apiText } from '#common/api-text.ts';
import { Forbidden } from '#common/errors.ts';
import { first, pick, type Reader } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import { findActiveDecision } from '../../core/decisions/decision.ts';
import {
  draft,
  isPubliclyReadable,
  removed,
  statusOnceApproved,
  waiting,
} from '../../core/project-status.ts';
import { isAnonymous, type Viewer } from '../../core/viewer/viewer.ts';
import {
  type AddressedProject,
  findAudienceOfComments,
  findAudienceOfCopy,
  findRefusalOfWords,
} from '../hooks.ts';
import { type Audience, type Project, type ProjectRow, projectColumns } from '../project.ts';
import { type CommentPlace, listedThread, restrictedThread, threadVisibility } from './thread-visibility.ts';
import { isOpen } from './visible-to.ts';

export const forEverybody: Audience = { made_for: null, source_maker: null };

type Visible = Pick<ProjectRow, 'visibility'>;

/** Only its maker or a group reads it. */
export const isForFew = ({ visibility }: Visible): boolean =>
  visibility !== 'public' && visibility !== 'unlisted';
export const isForGroup = (project: Visible): boolean =>
  isForFew(project) && project.visibility !== 'private';

/** Whether more people than a group see it. */
export const isOpenToAll = (project: ProjectRow): boolean =>
  isOpen(project) && !isForFew(project) && project.thread_visibility < restrictedThread;

/** Now, or at a time that is set. */
export const opensToAll = (project: ProjectRow): boolean =>
  isOpenToAll(project) || (project.status === draft && project.publish_at !== null && !isForFew(project));

/** Of the copy that the viewer makes. What is not open to all stays with the group that may copy it. */
export async function audienceOfCopy(write: WriteContext, source: ProjectRow): Promise<Audience> {
  if (isOpenToAll(source)) return forEverybody;
  const { contributor, made_for, source_maker } = source;
  if (contributor === write.viewer.contributor) return { made_for, source_maker };
  const audience = await findAudienceOfCopy(write.transaction, write.viewer, source);
  if (!audience) throw new Forbidden(apiText('copyOfClass'));
  return source_maker === 'classmate' ? { ...audience, source_maker } : audience;
}

/** Before the viewer writes what the maker of the project will read, or somebody who said something below it. */
export async function beforeWords(
  { transaction, viewer }: WriteContext,
  project: AddressedProject,
  person = project.contributor,
): Promise<void> {
  const refusal = await findRefusalOfWords(transaction, viewer, project, person);
  if (refusal) throw new Forbidden(refusal);
}

const rootColumns = pick(projectColumns, 'id', 'contributor', 'visibility', 'status', 'kind');

/** Whether others may answer a comment: not while it waits or is hidden, as nobody knows who will read it. */
const isAnswerable = ({
  content_type,
  visibility,
  status,
  made_for,
  root,
}: Pick<ProjectRow, 'content_type' | 'visibility' | 'status' | 'made_for' | 'root'>): boolean =>
  content_type !== 'comment' ||
  (isPubliclyReadable(status) && (visibility !== 'private' || made_for === root));

/** Of a comment: that of the comment that it answers, or else that of its project as it is now. */
export async function audienceOfComment(
  write: WriteContext,
  { root, thread_visibility, answered }: CommentPlace,
): Promise<Partial<Pick<ProjectRow, 'made_for' | 'visibility'>>> {
  const { content_type, visibility, made_for } = answered;
  if (!isAnswerable(answered)) throw new Forbidden(apiText('answerHidden'));
  const project =
    thread_visibility === listedThread
      ? undefined
      : await first(write.transaction, rootColumns)`from project where id = ${root}`;
  if (project) await beforeWords(write, project);
  // A group reads what is said for it: its own people look after it.
  if (project && !isForGroup(answered)) await beforeWords(write, project, answered.contributor);
  if (content_type === 'comment' && isForGroup(answered)) return { made_for, visibility };
  if (content_type === 'comment' && visibility === 'private') return { made_for };
  if (thread_visibility < restrictedThread) return {};
  return { made_for: (project && (await findAudienceOfComments(write, project))) ?? root };
}

/** Of a project or comment and the comments on its page: the ids of those to which the viewer writes nothing. */
export async function findClosed(
  reader: Reader,
  viewer: Viewer,
  project: Project,
  comments: readonly Project[],
): Promise<ReadonlySet<number>> {
  const root =
    project.content_type !== 'comment' || isAnonymous(viewer)
      ? project
      : await first(
          reader,
          rootColumns,
        )`from project where id = (select root from project where id = ${project.id})`;
  if (!root || isAnonymous(viewer) || threadVisibility(root) === listedThread) return new Set();
  const answered = [project, ...comments].filter(
    (answered) => answered.content_type === 'comment' && !isForGroup(answered),
  );
  const people = [...new Set([root, ...answered].map(({ contributor }) => contributor))];
  const refusals = await Promise.all(
    people.map((person) => findRefusalOfWords(reader, viewer, root, person)),
  );
  const closed = people.filter((_, index) => refusals[index] !== undefined);
  const isWhole = closed.includes(root.contributor);
  return new Set(
    (isWhole
      ? [project, ...comments]
      : answered.filter(({ contributor }) => closed.includes(contributor))
    ).map(({ id }) => id),
  );
}

const writtenMembers = ['title', 'text', 'link', 'tags'] as const;

/** For a comment that is written anew: it is said to the same person, and keeps its readers. */
async function findAnswered(
  { transaction }: WriteContext,
  row: ProjectRow,
): Promise<CommentPlace['answered']> {
  const answered = await first(transaction, pick(projectColumns, 'contributor'))`from project
    where id = ${row.parent}`;
  return { ...row, content_type: 'text', contributor: answered?.contributor ?? row.contributor };
}

/** A comment keeps the audience for which it was written, or written anew. */
export async function keepAudience(
  write: WriteContext,
  before: ProjectRow | undefined,
  row: ProjectRow,
  filesChanged = false,
): Promise<ProjectRow> {
  const { content_type, root, thread_visibility } = row;
  const isWrittenAnew = before !== undefined && writtenMembers.some((name) => before[name] !== row[name]);
  if (content_type !== 'comment') {
    if (isWrittenAnew || filesChanged) await beforeWords(write, row);
    return row;
  }
  const { made_for = row.made_for } = isWrittenAnew
    ? await audienceOfComment(write, { root, thread_visibility, answered: await findAnswered(write, row) })
    : row;
  const kept = { ...row, made_for: row.made_for ?? made_for };
  return kept.made_for !== null && kept.made_for === root ? { ...kept, visibility: 'private' } : kept;
}

/**
 * Throws if a write would open what is hidden, and is not its maker's own act, the approval of what they have sent, or the end of a
 * removal. What holds the work of others in a group never leaves it.
 */
export async function refuseToOpen(
  { transaction, viewer }: WriteContext,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<void> {
  if (viewer.contributor === null) return;
  const refusal = findRefusedVisibility(
    viewer,
    { ...after, visibility: before?.visibility ?? 'private' },
    after.visibility,
  );
  if (refusal) throw new Forbidden(refusal);
  if (viewer.contributor === after.contributor || !before) return;
  const { id: project, contributor } = before;
  const removal =
    before.status === removed && isOpen(after)
      ? await findActiveDecision(transaction, 'removed', { project, contributor })
      : undefined;
  const hidden = removal?.status ?? before.status;
  const opensHistory = before.history !== 'public' && after.history === 'public';
  // Waiting work is approved as its maker has asked, and not opened by the end of a removal.
  const opensWaiting =
    hidden === waiting && (before.status !== waiting || after.status !== statusOnceApproved(before));
  if (opensHistory || (isOpen(after) && (hidden === draft || opensWaiting)))
    throw new Forbidden(apiText('openedByMaker'));
}

/** Why the viewer cannot make the project visible to these people, if that is so. Forms offer the others. */
export function findRefusedVisibility(
  viewer: Viewer,
  project: Pick<ProjectRow, 'contributor' | 'visibility' | 'source_maker'>,
  visibility: ProjectRow['visibility'],
): ApiText | undefined {
  if (project.source_maker === 'classmate' && isForFew(project) && !isForFew({ visibility }))
    return apiText('copyOfClass');
  const isMaker = viewer.contributor === project.contributor;
  return !isMaker && hidesMore(project, { visibility }) ? apiText('openedByMaker') : undefined;
}

/** Whether fewer people read the first one. */
export const hidesMore = (one: Visible, other: Visible): boolean => rankOf(one) < rankOf(other);

/** More for more readers. */
const rankOf = (project: Visible): number =>
  isForFew(project) ? Number(isForGroup(project)) : project.visibility === 'unlisted' ? 2 : 3;

/** Whether a copy may be in this collection. */
export const maySitIn = (project: ProjectRow, collection: number): boolean =>
  project.source_maker === null || isOpenToAll(project) || project.made_for === collection;
