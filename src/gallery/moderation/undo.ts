// Takes a decision back: all is as if it had not been made, but that the log has both.

import sql from 'sql-template-tag';
import { Conflict, NotFound } from '../../errors.ts';
import { authorize, authorizeAny } from '../permissions.ts';
import { restore, signedIn, type WriteContext } from '../projects/change.ts';
import { locked } from '../projects/store.ts';
import { setState } from './accounts.ts';
import { restoreRemoved } from './decide.ts';
import type { Decision } from './decision.ts';
import { record } from './record.ts';

export async function undo(write: WriteContext, id: number): Promise<void> {
  const { transaction, viewer } = write;
  authorizeAny(viewer, 'decide');
  const decision = await transaction.first<Decision>(sql`select * from decision where id = ${id}`);
  if (!decision) throw new NotFound();
  const { action, project, contributor } = decision;
  authorize(viewer, 'decide', contributor);
  // Whoever else takes it back waits here.
  if (project !== null) await locked(transaction, sql`id = ${project}`);
  if (await transaction.first(sql`select id from decision where undoes = ${id}`))
    throw new Conflict('This was taken back already.');
  if (action === 'disabled') await setState(write, contributor, 'open');
  else if (project === null) throw new Conflict(final);
  else if (action === 'removed') await restoreRemoved(write, project);
  else if (action === 'trashed') await restore(write, project);
  else if (action === 'left') await reopened(write, decision);
  else throw new Conflict(final);
  await reopenReports(write, decision);
}

const final = 'This cannot be taken back: decide anew.';

async function reopened(
  { transaction, changeSet, viewer, reason }: WriteContext,
  decision: Decision,
): Promise<void> {
  const { id: undoes, project, contributor } = decision;
  const made = { moderator: signedIn(viewer), project, contributor, reason };
  await record(transaction, changeSet, { ...made, action: 'reopened', undoes });
}

/** But for those whose reporters have something else to say of it now. */
function reopenReports({ transaction }: WriteContext, { id }: Decision): Promise<void> {
  return transaction.run(
    sql`update report set decision = null where decision = ${id} and not exists (
          select 1 from report as newer
          where newer.project = report.project and newer.contributor = report.contributor and newer.decision is null)`,
  );
}
