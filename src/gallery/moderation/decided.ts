// A project was changed as only moderators change it: that is a decision, whichever way it came.

import type { WriteContext } from '../projects/change.ts';
import type { Status } from '../projects/project.ts';
import type { Stored } from '../projects/stored.ts';
import { close, record, standing } from './record.ts';

const undone = { restored: 'removed', returned: 'trashed' } as const;

export async function decided(
  { transaction, changeSet, viewer, reason }: WriteContext,
  action: 'removed' | 'trashed' | keyof typeof undone,
  before: Stored,
): Promise<void> {
  const about = { project: before.id, contributor: before.contributor };
  const made = { ...about, moderator: viewer.contributor, reason };
  if (action === 'restored' || action === 'returned') {
    const earlier = await standing(transaction, undone[action], about);
    await record(transaction, changeSet, { ...made, action, undoes: earlier?.id ?? null });
    return;
  }
  const status = action === 'removed' ? (before.status as Status) : null;
  await close(transaction, await record(transaction, changeSet, { ...made, action, status }));
}
