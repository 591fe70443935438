// Takes a decision back: all is as if it had not been made, but that the log has both.

import sql from 'sql-template-tag';
import { Conflict, NotFound } from '../../errors.ts';
import { demand, demandEver } from '../permissions.ts';
import { type Act, restore, signedIn } from '../projects/change.ts';
import { locked } from '../projects/store.ts';
import { setState } from './accounts.ts';
import { restoreRemoved } from './decide.ts';
import type { Decision } from './decision.ts';
import { record } from './record.ts';

export async function undo(act: Act, id: number): Promise<void> {
  const { transaction, reader } = act;
  demandEver(reader, 'decide');
  const decision = await transaction.first<Decision>(sql`select * from decision where id = ${id}`);
  if (!decision) throw new NotFound();
  const { action, project, contributor } = decision;
  demand(reader, 'decide', contributor);
  // Whoever else takes it back waits here.
  if (project !== null) await locked(transaction, sql`id = ${project}`);
  if (await transaction.first(sql`select id from decision where undoes = ${id}`))
    throw new Conflict('This was taken back already.');
  if (action === 'disabled') await setState(act, contributor, 'open');
  else if (project === null) throw new Conflict(final);
  else if (action === 'removed') await restoreRemoved(act, project);
  else if (action === 'trashed') await restore(act, project);
  else if (action === 'left') await reopened(act, decision);
  else throw new Conflict(final);
  await reopenReports(act, decision);
}

const final = 'This cannot be taken back: decide anew.';

async function reopened({ transaction, notes, reader, reason }: Act, decision: Decision): Promise<void> {
  const { id: undoes, project, contributor } = decision;
  const made = { moderator: signedIn(reader), project, contributor, reason };
  await record(transaction, notes, { ...made, action: 'reopened', undoes });
}

/** But for those whose reporters have something else to say of it now. */
function reopenReports({ transaction }: Act, { id }: Decision): Promise<void> {
  return transaction.run(
    sql`update report set decision = null where decision = ${id} and not exists (
          select 1 from report as newer
          where newer.project = report.project and newer.contributor = report.contributor and newer.decision is null)`,
  );
}
