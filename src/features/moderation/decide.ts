// Decides on a project that was reported or that a moderator found.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, NotFound } from '#common/errors.ts';
import { execute, exists, one } from '#sql';
import { lockAccount } from '../../core/accounts/account.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import {
  type Decision,
  decisionColumns,
  findActiveDecision,
  recordDecision,
} from '../../core/decisions/decision.ts';
import type { Instant } from '../../core/instant.ts';
import { published, removed } from '../../core/project-status.ts';
import { authorize, authorizeAny } from '../../core/viewer/permissions.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { isErasedSql } from '../../projects/visibility/visible-to.ts';
import { changeProject, restoreFromTrash } from '../../projects/writing/change-project.ts';
import { lockReadableProject } from '../../projects/writing/changeable.ts';
import { lockProjects } from '../../projects/writing/store.ts';
import { setAccountState, setTrust } from './disable-accounts.ts';
import { type ClosedReports, closeReports, findReport, listReportedBy } from './report.ts';

const decidedAlready = apiText('alreadyDecided');

/** Returns the report, which is open. A concurrent decision on it waits here. */
export async function lockOpenReport({ transaction, viewer }: WriteContext, id: number) {
  const { project } = await findReport(transaction, viewer, id);
  await lockProjects(transaction, sql`id = ${project}`);
  const report = await findReport(transaction, viewer, id);
  if (report.decision !== null) throw new Conflict(decidedAlready);
  return report;
}

/** Keeps the project as it is. */
export async function leaveAsIs(
  write: WriteContext,
  project: number,
  closed?: ClosedReports,
): Promise<Decision> {
  const { transaction, viewer, reason } = write;
  // A project that its contributor moved to the trash can be decided on too.
  const [row] = await lockProjects(transaction, sql`id = ${project} and not ${isErasedSql}`);
  if (!row) throw new NotFound();
  authorize(viewer, 'decide', row.contributor);
  if (!(await exists(transaction, sql`from report where project = ${project} and decision is null`)))
    throw new Conflict(decidedAlready);
  const decision = await recordDecision(write, {
    moderator: requireSignedIn(viewer),
    action: 'left',
    project,
    contributor: row.contributor,
    reason,
  });
  await closeReports(write, decision, closed);
  return decision;
}

/** Keeps everything as it is that one person has reported. Reports of others stay open. */
export async function leaveAllOf(write: WriteContext, reporter: number, upTo: Instant): Promise<void> {
  const { transaction, viewer } = write;
  // Decisions that others are making now are made then.
  const isReported = sql`from report where contributor = ${reporter} and decision is null`;
  await lockProjects(transaction, sql`id in (select project ${isReported})`);
  const seen = (await listReportedBy(transaction, viewer, reporter)).filter(
    ({ modified }) => modified <= upTo,
  );
  for (const { project } of seen) await leaveAsIs(write, project, { upTo, reporter });
}

/** Only its contributor and moderators can see it afterwards. */
export async function removeProject(write: WriteContext, project: number): Promise<Decision> {
  const { transaction, viewer } = write;
  const { status, contributor } = await lockReadableProject(write, project);
  authorize(viewer, 'decide', contributor);
  if (status === removed) throw new Conflict(apiText('alreadyRemoved'));
  await changeProject(write, project, () => ({ status: removed }));
  return requireDecision(await findActiveDecision(transaction, 'removed', { project, contributor }));
}

/** Gives it the status that it had before it was removed. */
export async function restoreRemovedProject(write: WriteContext, project: number): Promise<void> {
  const { transaction, viewer } = write;
  const { status, contributor } = await lockReadableProject(write, project);
  authorize(viewer, 'decide', contributor);
  if (status !== removed) throw new Conflict(apiText('notRemoved'));
  const removal = await findActiveDecision(transaction, 'removed', { project, contributor });
  await changeProject(write, project, () => ({ status: removal?.status ?? published }));
}

function requireDecision(decision: Decision | undefined): Decision {
  if (!decision) throw new Error('a decision was not recorded');
  return decision;
}

// Undoes a decision. The log keeps both.

export async function undoDecision(write: WriteContext, id: number): Promise<void> {
  const { transaction, viewer } = write;
  authorizeAny(viewer, 'decide');
  const decision = await one(transaction, decisionColumns)`from decision where id = ${id}`;
  const { action, project, contributor } = decision;
  authorize(viewer, 'decide', contributor);
  // A concurrent undo waits here.
  await (project === null
    ? lockAccount(transaction, contributor)
    : lockProjects(transaction, sql`id = ${project}`));
  if (await exists(transaction, sql`from decision where undoes = ${id}`))
    throw new Conflict(apiText('alreadyUndone'));
  if (action === 'disabled') await setAccountState(write, contributor, 'open');
  else if (action === 'trusted') await setTrust(write, contributor, false);
  else if (project === null) throw new Conflict(notUndoable);
  else if (action === 'removed') await restoreRemovedProject(write, project);
  else if (action === 'trashed') await restoreFromTrash(write, project);
  else if (action === 'left') await recordReopening(write, decision);
  else throw new Conflict(notUndoable);
  await reopenReports(write, decision);
}

const notUndoable = apiText('notUndoable');

async function recordReopening(write: WriteContext, decision: Decision): Promise<void> {
  const { viewer, reason } = write;
  const { id: undoes, project, contributor } = decision;
  const values = { moderator: requireSignedIn(viewer), project, contributor, reason };
  await recordDecision(write, { ...values, action: 'reopened', undoes });
}

/** Except where the same contributor has another open report on the project. */
function reopenReports({ transaction }: WriteContext, { id }: Decision): Promise<void> {
  return execute(transaction)`update report set decision = null where decision = ${id} and not exists (
      select 1 from report as newer
      where newer.project = report.project and newer.contributor = report.contributor and newer.decision is null)`;
}
