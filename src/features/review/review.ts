// Works that wait for a moderator, and the decision, which opens one or makes it a draft again.

import sql, { empty, type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, Forbidden, Outdated } from '#common/errors.ts';
import { choiceField, type Fields } from '#rest/fields.ts';
import { all, count, countUpTo, type Database, exists, orAny, pick, type Reader } from '#sql';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { type Decision, optionalReasonFields, recordDecision } from '../../core/decisions/decision.ts';
import { draft, isWaiting, statusOnceApproved, waiting } from '../../core/project-status.ts';
import { isReviewerOf, reviewsWorkSql } from '../../core/reviewers.ts';
import { authorize, authorizeAny } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { type Project, type ProjectRow, projectColumns } from '../../projects/project.ts';
import { readableBy } from '../../projects/visibility/visible-to.ts';
import { loadUnchanged, saveVersion } from '../../projects/writing/change-project.ts';
import { lockReadableProject } from '../../projects/writing/changeable.ts';
import { isTrusted } from '../../projects/writing/opening.ts';
import {
  findWaitingNotes,
  listWaitingNotes,
  type WaitingNotes,
} from '../../projects/writing/waiting-notes.ts';

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

/** Throws unless the viewer reviews the work. */
async function authorizeReview(
  reader: Reader,
  viewer: Viewer,
  { id, contributor }: Pick<ProjectRow, 'id' | 'contributor'>,
): Promise<void> {
  authorize(viewer, 'review', contributor);
  if (viewer.isModerator) return;
  const isReviewed = reviewsWorkSql(viewer, 'project');
  if (!isReviewed || !(await exists(reader, sql`from project where id = ${id} and ${isReviewed}`)))
    throw new Forbidden();
  // Other projects are reviewed by moderators alone.
  const { review } = viewer;
  if (
    review &&
    !(await isLookedAfter(reader, contributor)) &&
    !(await isTrusted(reader, contributor, review))
  )
    throw new Forbidden(apiText('moderatorReviews'));
}

/** Until its time to be published comes, what is approved is a draft. */
export async function reviewProject(
  write: WriteContext,
  id: number,
  { decision, reason, seen }: Review,
): Promise<{ readonly project: Project; readonly decision: Decision }> {
  const { viewer, changeSet, matchesVersion } = write;
  // The site may review what reviewers publish themselves.
  const asReviewer = { ...write, viewer: { ...viewer, review: undefined } };
  const before = await lockReadableProject(write, id);
  const { contributor, publish_at, record_modified } = before;
  const notes = findWaitingNotes(before);
  if (before.status !== waiting && notes)
    return reviewNotes(write, before, notes, { decision, reason, seen });
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
  const project = await saveVersion(asReviewer, 'changed', before, {
    status: isLater ? draft : statusOnceApproved(before),
  });
  await notes?.decide(write, before, [contributor], 'approve');
  return { project, decision: await recordDecision(write, { ...about, action: 'approved' }) };
}

/** The notes of others on a project that is open, all at once. */
async function reviewNotes(
  write: WriteContext,
  project: ProjectRow,
  notes: WaitingNotes,
  { decision, reason, seen }: Review,
): Promise<{ readonly project: Project; readonly decision: Decision }> {
  const { transaction, viewer, matchesVersion } = write;
  const { id, record_modified } = project;
  authorizeAny(viewer, 'review');
  const authors: number[] = [];
  for (const { noted_by } of await notes.list(transaction, viewer, project))
    if (viewer.isModerator || (await isReviewerOf(transaction, viewer, noted_by))) authors.push(noted_by);
  const [author] = authors;
  if (author === undefined) throw new Conflict(apiText('notWaiting'));
  if (seen !== undefined && seen !== record_modified) throw new Conflict(apiText('changedSince'));
  if (matchesVersion && !matchesVersion(record_modified)) throw new Outdated();
  await notes.decide(write, project, authors, decision);
  const action = decision === 'approve' ? 'approved' : 'sent_back';
  const about = { moderator: requireSignedIn(viewer), project: id, contributor: author, reason };
  return {
    project: await loadUnchanged(write, project),
    decision: await recordDecision(write, { ...about, action }),
  };
}

/** Some of what waits. */
interface WaitingOf {
  /** Of a project in a query. */
  readonly work: Sql;
  /** Of the id of a note's author in a query. */
  readonly author: (author: Sql) => Sql;
}

/** Nobody reviews their own. */
const isForReview = (viewer: Viewer, some?: WaitingOf): Sql => {
  const isWanted = some ? sql` and ${some.work}` : empty;
  const notes = listWaitingNotes().map(
    ({ projects }) => sql`id in (${projects(viewer, some?.author)}) and status <> 5`,
  );
  // Each part has an index.
  return sql`(id in (select id from project where ${isWaiting})
      and contributor <> ${viewer.contributor}${isWanted}${orAny(notes)}) and ${readableBy(viewer)}`;
};

export const countWaiting = (reader: Reader, viewer: Viewer, limit: number): Promise<number> =>
  countUpTo(limit, reader, sql`from project where ${isForReview(viewer)}`);

const waitingColumns = pick(projectColumns, 'id', 'record_modified');

/** The works that wait for this moderator, or some of what waits for this reviewer, the oldest first. */
export const listWaiting = (
  { slowReader }: Pick<Database, 'slowReader'>,
  viewer: Viewer,
  some?: WaitingOf,
) => ({
  count: () => count(slowReader, sql`from project where ${isForReview(viewer, some)}`),
  page: (offset: number, size: number) =>
    all(slowReader, waitingColumns)`from project where ${isForReview(viewer, some)}
      order by modified, id limit ${size} offset ${offset}`,
});
