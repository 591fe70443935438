// Records a decision when a moderator changes somebody else's project, whichever operation the change comes from.

import type { WriteContext } from '../../changes/write.ts';
import type { FinalAction } from '../../decisions/decision.ts';
import { closeReports, findActiveDecision, recordDecision } from '../../decisions/record-decision.ts';
import { toStatus } from '../../project-status.ts';
import type { ProjectRow } from '../columns.ts';

/** Records that a moderator changed somebody else's project in a way that is no decision about it. */
export async function recordForeignChange(
  { transaction, changeSet, viewer, reason }: WriteContext,
  action: FinalAction,
  { id, contributor }: Pick<ProjectRow, 'id' | 'contributor'>,
  summary: string,
): Promise<void> {
  if (viewer.contributor === contributor) return;
  const decision = { project: id, contributor, moderator: viewer.contributor, reason: reason || summary };
  await recordDecision(transaction, changeSet, { ...decision, action });
}

const undoneActions = { restored: 'removed', returned: 'trashed' } as const;

export async function recordProjectDecision(
  { transaction, changeSet, viewer, reason }: WriteContext,
  action: 'removed' | 'trashed' | keyof typeof undoneActions,
  before: ProjectRow,
): Promise<void> {
  const subject = { project: before.id, contributor: before.contributor };
  const decision = { ...subject, moderator: viewer.contributor, reason };
  if (action === 'restored' || action === 'returned') {
    const undoneDecision = await findActiveDecision(transaction, undoneActions[action], subject);
    await recordDecision(transaction, changeSet, { ...decision, action, undoes: undoneDecision?.id ?? null });
    return;
  }
  const status = action === 'removed' ? toStatus(before) : null;
  await closeReports(
    transaction,
    changeSet,
    await recordDecision(transaction, changeSet, { ...decision, action, status }),
  );
}
