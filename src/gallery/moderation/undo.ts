// Undoes a decision. The log keeps both.

import sql from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { Conflict } from '../../common/errors.ts';
import { exists, one } from '../../database/query.ts';
import { lockAccount } from '../accounts/account.ts';
import type { WriteContext } from '../changes/write.ts';
import { type Decision, decisionColumns } from '../decisions/decision.ts';
import { recordDecision } from '../decisions/record-decision.ts';
import { authorize, authorizeAny } from '../permissions.ts';
import { restoreFromTrash } from '../projects/writing/change.ts';
import { lockProjects } from '../projects/writing/store.ts';
import { requireSignedIn } from '../viewer.ts';
import { setAccountState } from './accounts.ts';
import { restoreRemovedProject } from './decide.ts';

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
  else if (project === null) throw new Conflict(notUndoable);
  else if (action === 'removed') await restoreRemovedProject(write, project);
  else if (action === 'trashed') await restoreFromTrash(write, project);
  else if (action === 'left') await recordReopening(write, decision);
  else throw new Conflict(notUndoable);
  await reopenReports(write, decision);
}

const notUndoable = apiText('notUndoable');

async function recordReopening(
  { transaction, changeSet, viewer, reason }: WriteContext,
  decision: Decision,
): Promise<void> {
  const { id: undoes, project, contributor } = decision;
  const values = { moderator: requireSignedIn(viewer), project, contributor, reason };
  await recordDecision(transaction, changeSet, { ...values, action: 'reopened', undoes });
}

/** Except where the same contributor has another open report on the project. */
function reopenReports({ transaction }: WriteContext, { id }: Decision): Promise<void> {
  return transaction.run(
    sql`update report set decision = null where decision = ${id} and not exists (
          select 1 from report as newer
          where newer.project = report.project and newer.contributor = report.contributor and newer.decision is null)`,
  );
}
