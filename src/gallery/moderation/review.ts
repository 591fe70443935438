// Works that wait for a moderator, and the decision, which opens one or makes it a draft again.

import sql, { empty, type Sql } from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { Conflict, Forbidden, Outdated } from '../../common/errors.ts';
import { choiceField, type Fields } from '../../common/fields.ts';
import { pick } from '../../database/columns.ts';
import type { Database, Reader } from '../../database/database.ts';
import { all, count, countUpTo } from '../../database/query.ts';
import type { WriteContext } from '../changes/write.ts';
import { isLookedAfterSql, isTeacherOf, taughtClasses } from '../class-people.ts';
import { decideNotes, isWaitingNote, listWaitingNotes } from '../collections/notes.ts';
import { isCollection } from '../content-types.ts';
import { type Decision, optionalReasonFields, recordDecision } from '../decisions/decision.ts';
import { authorize, authorizeAny } from '../permissions.ts';
import { draft, isWaiting, published, waiting } from '../project-status.ts';
import { type Project, type ProjectRow, projectColumns } from '../projects/project.ts';
import { readableBy } from '../projects/visibility.ts';
import { loadUnchanged, saveVersion } from '../projects/writing/change.ts';
import { lockReadableProject } from '../projects/writing/changeable.ts';
import { requireSignedIn, type Viewer } from '../viewer.ts';

export const reviewFields = {
  decision: choiceField(
    'Decision',
    { approve: 'publish it', return: 'make it a draft again' },
    { required: true },
  ),
  reason: { ...optionalReasonFields.reason, help: apiText('returnReason') },
} satisfies Fields;

interface Review {
  readonly decision: 'approve' | 'return';
  readonly reason?: string;
  /** The version that the moderator has looked at. */
  readonly seen?: number;
}

/** Throws unless the viewer is a moderator, or a teacher of the person. */
async function authorizeReview(
  reader: Reader,
  viewer: Viewer,
  { contributor, made_for, source_maker }: Pick<ProjectRow, 'contributor' | 'made_for' | 'source_maker'>,
): Promise<void> {
  authorize(viewer, 'review', contributor);
  const isCopyOfOwnClass = source_maker !== null && taughtClasses(viewer).some((id) => id === made_for);
  if (!viewer.isModerator && !isCopyOfOwnClass && !(await isTeacherOf(reader, viewer, contributor)))
    throw new Forbidden();
}

/** Until its time to be published comes, what is approved is a draft. */
export async function reviewProject(
  write: WriteContext,
  id: number,
  { decision, reason, seen }: Review,
): Promise<{ readonly project: Project; readonly decision: Decision }> {
  const { viewer, changeSet, matchesVersion } = write;
  // Of a teacher, too, the site may review what they publish themselves.
  const asReviewer = { ...write, viewer: { ...viewer, review: undefined } };
  const before = await lockReadableProject(write, id);
  const { contributor, publish_at, record_modified } = before;
  if (before.status !== waiting && isCollection(before))
    return reviewNotes(write, before, { decision, reason, seen });
  await authorizeReview(write.transaction, viewer, before);
  if (before.status !== waiting) throw new Conflict(apiText('notWaiting'));
  if (seen !== undefined && seen !== record_modified) throw new Conflict(apiText('changedSince'));
  if (matchesVersion && !matchesVersion(record_modified)) throw new Outdated();
  const moderator = requireSignedIn(viewer);
  const about = { moderator, project: id, contributor, reason };
  if (decision === 'return') {
    const project = await saveVersion(asReviewer, 'changed', before, { status: draft, publish_at: null });
    return { project, decision: await recordDecision(write, { ...about, action: 'sent_back' }) };
  }
  const isLater = publish_at !== null && publish_at > changeSet.at;
  const project = await saveVersion(asReviewer, 'changed', before, { status: isLater ? draft : published });
  if (isCollection(before)) await decideNotes(write, before, [contributor], 'approve');
  return { project, decision: await recordDecision(write, { ...about, action: 'approved' }) };
}

/** The notes of others in a collection that is open, all at once. */
async function reviewNotes(
  write: WriteContext,
  collection: ProjectRow,
  { decision, reason, seen }: Review,
): Promise<{ readonly project: Project; readonly decision: Decision }> {
  const { transaction, viewer, matchesVersion } = write;
  const { id, record_modified } = collection;
  authorizeAny(viewer, 'review');
  const authors: number[] = [];
  for (const { noted_by } of await listWaitingNotes(transaction, viewer, collection))
    if (viewer.isModerator || (await isTeacherOf(transaction, viewer, noted_by))) authors.push(noted_by);
  const [author] = authors;
  if (author === undefined) throw new Conflict(apiText('notWaiting'));
  if (seen !== undefined && seen !== record_modified) throw new Conflict(apiText('changedSince'));
  if (matchesVersion && !matchesVersion(record_modified)) throw new Outdated();
  await decideNotes(write, collection, authors, decision);
  const action = decision === 'approve' ? 'approved' : 'sent_back';
  const about = { moderator: requireSignedIn(viewer), project: id, contributor: author, reason };
  return {
    project: await loadUnchanged(write, collection),
    decision: await recordDecision(write, { ...about, action }),
  };
}

/** Nobody reviews their own. */
const isForReview = (viewer: Viewer, lookedAfterBy?: number): Sql => {
  const isOfClass = (id: Sql) =>
    lookedAfterBy === undefined
      ? empty
      : sql` and (exists (select 1 ${isLookedAfterSql(id, [lookedAfterBy])})
          or (source_maker is not null and made_for = ${lookedAfterBy}))`;
  // Each part has an index.
  return sql`(id in (select id from project where ${isWaiting})
      and contributor <> ${viewer.contributor}${isOfClass(sql`project.contributor`)}
    or id in (select item.collection from collection_item as item
      where ${isWaitingNote(viewer)}${isOfClass(sql`item.noted_by`)}) and status <> 5) and ${readableBy(viewer)}`;
};

export const countWaiting = (reader: Reader, viewer: Viewer, limit: number): Promise<number> =>
  countUpTo(limit, reader, sql`from project where ${isForReview(viewer)}`);

const waitingColumns = pick(projectColumns, 'id', 'record_modified');

/** The works that wait for this moderator, or for the teachers of one class, the oldest first. */
export const listWaiting = (
  { slowReader }: Pick<Database, 'slowReader'>,
  viewer: Viewer,
  lookedAfterBy?: number,
) => ({
  count: () => count(slowReader, sql`from project where ${isForReview(viewer, lookedAfterBy)}`),
  page: (offset: number, size: number) =>
    all(slowReader, waitingColumns)`from project where ${isForReview(viewer, lookedAfterBy)}
      order by modified, id limit ${size} offset ${offset}`,
});
