// Changes projects. Each function runs within one transaction, starts from what the viewer may see, and checks the
// table of permissions.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid, NotFound } from '#common/errors.ts';
import type { ActionOf } from '../../core/changes/change-kinds.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { isCollection } from '../../core/content-types.ts';
import type { FinalAction } from '../../core/decisions/actions.ts';
import { findActiveDecision, recordDecision } from '../../core/decisions/decision.ts';
import type { Instant } from '../../core/instant.ts';
import {
  draft,
  inTrash,
  published,
  removed,
  type Status,
  toStatus,
  waiting,
} from '../../core/project-status.ts';
import { authorize, authorizeAny } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { sortKey } from '../../core/words.ts';
import { toSlug } from '../address.ts';
import { settleCollection } from '../collection-members.ts';
import { beforeChange, putIntoGroups } from '../hooks.ts';
import { requireLicense } from '../licenses/rules.ts';
import { type Project, type ProjectRow, toProject } from '../project.ts';
import { type ProjectValues, toColumns, writtenNames } from '../project-fields.ts';
import { trashVisibleTo } from '../visibility/visible-to.ts';
import { forbidRemovedStatus, lockChangeableProject, requireOffered } from './changeable.ts';
import { open } from './opening.ts';
import { lockContributorNames, lockProjects, storeProject } from './store.ts';
import { nextVersion } from './version.ts';

/** Omitted values stay. `read` is called once the viewer is authorized. */
export async function changeProject(
  write: WriteContext,
  id: number,
  read: (before: ProjectRow) => AskedValues,
): Promise<Project> {
  const { viewer } = write;
  const before = await lockChangeableProject(write, id);
  const { parent: _, status: asked, ...values } = read(before);
  forbidRemovedStatus(viewer, asked);
  if (asked === removed) authorize(viewer, 'removeProject', before.contributor);
  if (
    values.content_type !== undefined &&
    (values.content_type === 'comment') !== (before.content_type === 'comment')
  )
    throw new Invalid({ content_type: ['A comment stays a comment, and nothing else becomes one.'] });
  if (
    values.content_type !== undefined &&
    isCollection({ content_type: values.content_type }) !== isCollection(before)
  )
    throw new Invalid({ content_type: [apiText('collectionStays')] });
  if (values.content_type !== undefined && values.content_type !== before.content_type)
    requireOffered(viewer, values.content_type);
  const status = statusAfter(viewer, before, asked);
  const publish_at = publishTimeAfter(before, asked, values.publish_at);
  const asked_status = asked === published ? null : before.asked_status;
  const after: ProjectRow = { ...before, ...toColumns(values), status, publish_at, asked_status };
  if (openness.some((name) => before[name] !== after[name]))
    authorize(viewer, 'changeProject', before.contributor);
  requireLicense(viewer, before, after);
  return saveIfChanged(write, before, settleCollection(before, after));
}

/** Only its owner and moderators decide who sees a project. */
const openness = ['visibility', 'status', 'publish_at', 'history', 'ends'] as const;

/** A removal that is undone may lead back to a status that nobody sends. */
type AskedValues = Omit<ProjectValues, 'status'> & { readonly status?: Status };

/** Asked to publish what waits, the gallery changes nothing: it waits already. */
const statusAfter = ({ review }: Viewer, before: ProjectRow, asked: ProjectRow['status'] = before.status) =>
  before.status === waiting && asked === published && review ? waiting : asked;

/** A status that is sent without a time means now. */
function publishTimeAfter(before: ProjectRow, asked?: ProjectRow['status'], publish_at?: Instant | null) {
  if (publish_at !== undefined) return publish_at;
  return asked === undefined || asked === before.status ? before.publish_at : null;
}

const comparedColumns = [...writtenNames.filter((name) => name !== 'parent'), 'asked_status'] as const;

async function saveIfChanged(write: WriteContext, before: ProjectRow, after: ProjectRow): Promise<Project> {
  // Sending a project back unchanged changes nothing, not even its `modified`.
  if (comparedColumns.every((name) => before[name] === after[name])) return loadUnchanged(write, before);
  return saveChanged(write, before, after);
}

export const loadUnchanged = async ({ transaction }: WriteContext, before: ProjectRow): Promise<Project> =>
  toProject(before, await lockContributorNames(transaction, before.contributor));

/** Saves a project because its files have changed. */
export const touchProject = (write: WriteContext, before: ProjectRow): Promise<Project> =>
  saveChanged(write, before, before, true);

async function saveChanged(
  write: WriteContext,
  before: ProjectRow,
  after: ProjectRow,
  filesChanged = false,
): Promise<Project> {
  const action = actionOf(before, after);
  const titleChanged = before.title !== after.title;
  const changed = {
    ...after,
    ...(titleChanged && { slug: toSlug(after.title), title_key: sortKey(after.title) }),
    modified: Math.max(write.changeSet.at, before.modified + 1),
  };
  const project = await saveVersion(write, action, before, changed, filesChanged);
  if (action !== 'changed') await recordProjectDecision(write, action, before);
  const summary = describeChange(before, after);
  if (action === 'changed' || summary !== 'status')
    await recordForeignChange(write, 'changed', before, summary);
  return project;
}

/** Stores a new version of the row. */
export async function saveVersion(
  write: WriteContext,
  action: ActionOf<'project'>,
  before: ProjectRow,
  changed: Partial<ProjectRow>,
  filesChanged = false,
): Promise<Project> {
  const { transaction, changeSet } = write;
  const names = await lockContributorNames(transaction, before.contributor);
  const asked = {
    ...before,
    ...changed,
    ...('ends' in changed && changed.ends !== before.ends && { ends_set: changeSet.at }),
    record_modified: nextVersion(before, changeSet.at),
  };
  const after = await open(write, before, asked, filesChanged);
  await beforeChange(write, before, after);
  await storeProject(write, action, before, after, names);
  if (before.visibility !== after.visibility) await putIntoGroups(write, after, before.made_for);
  return toProject(after, names);
}

/** Names the members that were changed; if there are none, it was a file. */
const describeChange = (before: ProjectRow, after: ProjectRow): string =>
  comparedColumns.filter((name) => before[name] !== after[name]).join(', ') || 'files';

const actionOf = (before: ProjectRow, after: ProjectRow): 'changed' | 'removed' | 'restored' => {
  if (before.status === after.status) return 'changed';
  if (after.status === removed) return 'removed';
  return before.status === removed ? 'restored' : 'changed';
};

export async function moveToTrash(write: WriteContext, id: number) {
  const { changeSet, viewer } = write;
  const before = await lockChangeableProject(write, id, 'trashProject');
  await saveVersion(write, 'trashed', before, {
    status: inTrash,
    trashed: changeSet.at,
    trashed_by: requireSignedIn(viewer),
    trashed_status: before.status,
  });
  if (before.contributor !== viewer.contributor) await recordProjectDecision(write, 'trashed', before);
}

/** Only moderators restore what somebody else moved to the trash. */
export async function restoreFromTrash(write: WriteContext, id: number): Promise<Project> {
  const { transaction, viewer } = write;
  authorizeAny(viewer, 'restoreProject');
  const contributor = requireSignedIn(viewer);
  const [before] = await lockProjects(transaction, sql`id = ${id} and ${trashVisibleTo(viewer)}`);
  if (!before) throw new NotFound();
  authorize(viewer, 'restoreProject', before.contributor);
  if (before.trashed_by !== contributor && !viewer.isModerator) throw new Forbidden();
  const project = await saveVersion(write, 'restored', before, {
    status: before.trashed_status ?? draft,
    trashed: null,
    trashed_by: null,
    trashed_status: null,
    publish_at: null,
  });
  if (before.contributor !== contributor) await recordProjectDecision(write, 'returned', before);
  return project;
}

// Records a decision when a moderator changes somebody else's project, whichever operation the change comes from.

/** Records that a moderator changed somebody else's project in a way that is no decision about it. */
export async function recordForeignChange(
  write: WriteContext,
  action: FinalAction,
  { id, contributor }: Pick<ProjectRow, 'id' | 'contributor'>,
  summary: string,
): Promise<void> {
  const { viewer, reason } = write;
  if (viewer.contributor === contributor || !viewer.isModerator) return;
  const decision = { project: id, contributor, moderator: viewer.contributor, reason: reason || summary };
  await recordDecision(write, { ...decision, action });
}

const undoneActions = { restored: 'removed', returned: 'trashed' } as const;

export async function recordProjectDecision(
  write: WriteContext,
  action: 'removed' | 'trashed' | keyof typeof undoneActions,
  before: ProjectRow,
): Promise<void> {
  const { transaction, viewer, reason } = write;
  const subject = { project: before.id, contributor: before.contributor };
  const decision = { ...subject, moderator: viewer.contributor, reason };
  if (action === 'restored' || action === 'returned') {
    const undoneDecision = await findActiveDecision(transaction, undoneActions[action], subject);
    await recordDecision(write, { ...decision, action, undoes: undoneDecision?.id ?? null });
    return;
  }
  const status = action === 'removed' ? toStatus(before) : null;
  await recordDecision(write, { ...decision, action, status });
}
