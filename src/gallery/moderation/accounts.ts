// Disables and enables accounts.

import sql from 'sql-template-tag';
import { Forbidden } from '../../common/errors.ts';
import { choiceField, type Fields } from '../../common/fields.ts';
import { integer, pick } from '../../database/columns.ts';
import type { Database, Reader } from '../../database/database.ts';
import { all, count, select } from '../../database/query.ts';
import { accountTable } from '../../database/schema.ts';
import { type AccountDetails, lockAccount, requireAccount } from '../accounts/account.ts';
import { disableInTransaction, enableInTransaction, updateInTransaction } from '../accounts/change.ts';
import type { WriteContext } from '../changes/write.ts';
import { findActiveDecision, optionalReasonFields, recordDecision } from '../decisions/decision.ts';
import { authorize, can, canManageRole } from '../permissions.ts';
import { isNotInTrash, removed } from '../project-status.ts';
import { projectColumns } from '../projects/project.ts';
import { requireSignedIn, type Viewer } from '../viewer.ts';

export const accountStates = ['open', 'disabled'] as const;

export const accountFields = {
  state: choiceField('State', { open: 'open', disabled: 'disabled' }, { required: true }),
  ...optionalReasonFields,
} satisfies Fields;

export const canDisable = (viewer: Viewer, { id, role }: Pick<AccountDetails, 'id' | 'role'>): boolean =>
  role !== null && can(viewer, 'disableAccount', id) && canManageRole(viewer, role);

/** Records nothing if the account already has the state. */
export async function setAccountState(
  write: WriteContext,
  contributor: number,
  state: (typeof accountStates)[number] | undefined,
): Promise<void> {
  const account = await findManageableAccount(write, contributor);
  if ((account.disabled === null) === (state === 'open')) return;
  const { viewer, reason } = write;
  const decision = { moderator: requireSignedIn(viewer), contributor, reason };
  await (state === 'disabled' ? disableInTransaction : enableInTransaction)(write, decision);
}

/** Whether what the person publishes appears without a review. Records nothing if that is so already. */
export async function setTrust(write: WriteContext, contributor: number, isTrusted: boolean): Promise<void> {
  const { transaction, viewer, reason } = write;
  authorize(viewer, 'trustPeople', contributor);
  await lockAccount(transaction, contributor);
  const { trusted } = await requireAccount(transaction, contributor);
  if (trusted === Number(isTrusted)) return;
  await updateInTransaction(write, contributor, 'trusted', sql`trusted = ${Number(isTrusted)}`);
  const undone = isTrusted
    ? undefined
    : await findActiveDecision(transaction, 'trusted', { project: null, contributor });
  await recordDecision(write, {
    moderator: requireSignedIn(viewer),
    contributor,
    reason,
    action: isTrusted ? 'trusted' : 'untrusted',
    undoes: undone?.id ?? null,
  });
}

/** The account, if the viewer may manage it. An imported decision may refer to a missing account. */
async function findManageableAccount({ transaction, viewer }: WriteContext, contributor: number) {
  // First: the viewer's own account, which nobody may disable, would be locked twice.
  authorize(viewer, 'disableAccount', contributor);
  await lockAccount(transaction, contributor);
  const account = await requireAccount(transaction, contributor);
  if (!canDisable(viewer, account)) throw new Forbidden();
  return account;
}

/** Counts of a contributor's projects, comments and reports, for moderators. */
export interface ContributorCounts {
  readonly projects: number;
  readonly comments: number;
  readonly removed: number;
  readonly reports: number;
}

const countedColumns = {
  comment: integer(sql`case when content_type = 'comment' then 1 else 0 end`),
  status: projectColumns.status,
  count: integer(sql`count(*)`),
};

export async function countContributions(reader: Reader, contributor: number): Promise<ContributorCounts> {
  const rows = await all(reader, countedColumns)`from project
    where contributor = ${contributor} and ${isNotInTrash} group by 1, 2`;
  const sumWhere = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((total, { count }) => total + count, 0);
  return {
    projects: sumWhere(({ comment }) => comment === 0),
    comments: sumWhere(({ comment }) => comment === 1),
    removed: sumWhere(({ status }) => status === removed),
    reports: await count(reader, sql`from report where contributor = ${contributor}`),
  };
}

const moderatorsQuery = select(
  pick(accountTable.columns, 'contributor'),
  sql`from account where role <> 'contributor' and disabled is null`,
);

interface Moderators {
  readonly generation: number | undefined;
  readonly ids: ReadonlySet<number>;
}

const moderatorsCache = new WeakMap<Database, Moderators>();

/** The ids of moderators and admins, who have a badge. They are read again when anything has changed. */
export async function loadModerators(database: Database): Promise<ReadonlySet<number>> {
  const generation = database.generation();
  const cached = moderatorsCache.get(database);
  if (cached && cached.generation === generation && generation !== undefined) return cached.ids;
  const rows = await database.all(moderatorsQuery);
  const found = new Set(rows.map(({ contributor }) => contributor));
  // The same set as long as the moderators are the same.
  const ids = cached && found.symmetricDifference(cached.ids).size === 0 ? cached.ids : found;
  moderatorsCache.set(database, { generation, ids });
  return ids;
}
