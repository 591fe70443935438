// What moderators decide of a thing that was reported, or that they came upon.

import sql from 'sql-template-tag';
import { Conflict, NotFound } from '../../errors.ts';
import type { Instant } from '../instant.ts';
import { authorize } from '../permissions.ts';
import { anyVersion, change, seen, signedIn, type WriteContext } from '../projects/change.ts';
import { locked } from '../projects/store.ts';
import { isErased } from '../projects/visible.ts';
import type { Decision } from './decision.ts';
import { close, record, standing } from './record.ts';

/** There is nothing wrong with it. What was reported since `upTo` is still to be read. */
export async function leaveIt(write: WriteContext, project: number, upTo?: Instant): Promise<Decision> {
  const { transaction, changeSet, viewer, reason } = write;
  // What its maker threw away meanwhile is decided on as well.
  const [found] = await locked(transaction, sql`id = ${project} and not ${isErased}`);
  if (!found) throw new NotFound();
  authorize(viewer, 'decide', found.contributor);
  const open = await transaction.first(
    sql`select id from report where project = ${project} and decision is null`,
  );
  if (!open) throw new Conflict('Somebody else has decided on this already.');
  const about = { moderator: signedIn(viewer), project, contributor: found.contributor };
  const decision = await record(transaction, changeSet, { ...about, action: 'left', reason });
  await close(transaction, decision, upTo);
  return decision;
}

/** Nobody but its maker and moderators sees it any more. */
export async function remove(write: WriteContext, project: number): Promise<Decision> {
  const { transaction, viewer } = write;
  const { status, contributor } = await seen(write, project);
  authorize(viewer, 'decide', contributor);
  if (status === 3) throw new Conflict('It is removed already.');
  await change(write, project, anyVersion, () => ({ status: 3 }));
  return madeNow(await standing(transaction, 'removed', { project, contributor }));
}

/** It is what it was before it was removed. */
export async function restoreRemoved(write: WriteContext, project: number): Promise<void> {
  const { transaction, viewer } = write;
  const { status, contributor } = await seen(write, project);
  authorize(viewer, 'decide', contributor);
  if (status !== 3) throw new Conflict('It is not removed.');
  const removal = await standing(transaction, 'removed', { project, contributor });
  await change(write, project, anyVersion, () => ({ status: removal?.status ?? 1 }));
}

function madeNow(decision: Decision | undefined): Decision {
  if (!decision) throw new Error('a decision was not written down');
  return decision;
}
