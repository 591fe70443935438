// Changes accounts. `actor` is the contributor who makes the change: null for the operator.

import sql, { type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, Invalid } from '#common/errors.ts';
import { type Database, execute, exists, type Transaction } from '#sql';
import type { ActionOf } from '../changes/change-kinds.ts';
import { transact, type Write } from '../changes/transact.ts';
import {
  type ContributorNames,
  type ShownName,
  toContributorRow,
  usernameKey,
} from '../contributors/contributor.ts';
import { formatContributorLine } from '../contributors/contributor-line.ts';
import { contributorTable } from '../contributors/tables.ts';
import { type Decision, findActiveDecision, recordDecision } from '../decisions/decision.ts';
import { queueNotice } from '../mail/queue.ts';
import type { Role } from '../viewer/viewer.ts';
import { type AccountDetails, findAccountByUsername, requireAccount } from './account.ts';
import { revokeKeys } from './keys.ts';
import { deleteSessions } from './sessions.ts';
import { accountTable } from './tables.ts';

/** Two usernames must not differ in case alone: most readers would take them for the same. */
export async function insertContributor(
  { transaction, changeSet }: Write,
  { username, first_name, last_name }: ContributorNames,
  shown_name: ShownName,
): Promise<number> {
  await transaction.lockChangeLog();
  const id = await transaction.nextId(contributorTable);
  const username_key = usernameKey(username);
  if (await exists(transaction, sql`from contributor where username_key = ${username_key}`))
    throw new Invalid({ username: [usernameTaken] });
  const created = changeSet.at;
  const names = { full_first_name: first_name, full_last_name: last_name, shown_name };
  const contributor = { id, username, created, ...names };
  await transaction.upsert(contributorTable, [toContributorRow(contributor)]);
  const record = formatContributorLine(contributor);
  changeSet.add({ kind: 'contributor', action: 'created', subject: id, record, owner: id });
  return id;
}

export const usernameTaken = apiText('usernameTaken');

export async function insertAccount(
  { transaction, changeSet }: Write,
  contributor: number,
  role: Role,
  hash: string | null,
  looked_after_by: number | null = null,
): Promise<void> {
  const account = { contributor, password: hash, role, disabled: null, trusted: 0, looked_after_by };
  await transaction.upsert(accountTable, [account]);
  changeSet.add({ kind: 'account', action: 'created', subject: contributor, owner: contributor });
}

/** For the operator. A contributor without an account, as after an import, gets one and keeps their names. */
export function addAccount(
  database: Database,
  names: ContributorNames,
  shownName: ShownName,
  role: Role,
  hash: string | null,
) {
  return transact(database, null, (write) => addAccountInTransaction(write, names, shownName, role, hash));
}

export async function addAccountInTransaction(
  write: Write,
  names: ContributorNames,
  shownName: ShownName,
  role: Role,
  hash: string | null,
): Promise<{ readonly id: number; readonly created: 'contributor' | 'account' }> {
  const existing = await findAccountByUsername(write.transaction, names.username);
  if (existing && existing.role !== null) throw new Conflict(`${existing.username} has an account already.`);
  const id = existing?.id ?? (await insertContributor(write, names, shownName));
  await insertAccount(write, id, role, hash);
  return { id, created: existing ? 'account' : 'contributor' };
}

export function setRole(database: Database, actor: number | null, contributor: number, role: Role) {
  return transact(database, actor, (write) =>
    setRoleInTransaction(write, { moderator: actor, contributor }, role),
  );
}

/** Records nothing if the account has the role already. */
export async function setRoleInTransaction(write: Write, decision: AccountDecision, role: Role) {
  const { contributor } = decision;
  await requireOtherAdmin(write.transaction, contributor, role);
  const account = await requireAccount(write.transaction, contributor);
  if (account.role === role) return;
  if (account.looked_after_by !== null) throw new Conflict(apiText('lookedAfterRole'));
  await updateInTransaction(write, contributor, 'role', sql`role = ${role}`);
  await recordDecision(write, { ...decision, action: `made_${role}` });
  await queueNotice(write.transaction, contributor, 'role_changed');
}

/** Throws if the account is that of the last admin, who keeps it as long as nobody else is one. */
export async function requireOtherAdmin(transaction: Transaction, contributor: number, newRole?: Role) {
  const isAdmin = sql`from account where role = 'admin' and disabled is null`;
  if (newRole === 'admin' || !(await exists(transaction, sql`${isAdmin} and contributor = ${contributor}`)))
    return;
  // Of two admins who go at once, the second waits here.
  await transaction.lockChangeLog();
  if (!(await exists(transaction, sql`${isAdmin} and contributor <> ${contributor}`)))
    throw new Conflict(apiText('lastAdmin'));
}

/** Ends all sessions of the contributor, and all keys: a person who knew the old password may have made them. */
export function setPassword(database: Database, actor: number | null, contributor: number, hash: string) {
  return transact(database, actor, (write) => setPasswordInTransaction(write, contributor, hash), {
    changesActor: actor === contributor,
  });
}

export async function setPasswordInTransaction(write: Write, contributor: number, hash: string) {
  const { transaction } = write;
  await updateInTransaction(write, contributor, 'password', sql`password = ${hash}`);
  await deleteSessions(transaction, contributor);
  await revokeKeys(write, contributor);
  await queueNotice(transaction, contributor, 'password_changed');
}

/** The keys stay, but do not work while the account is disabled. */
export function disableAccount(database: Database, actor: number | null, contributor: number): Promise<void> {
  return transact(database, actor, (write) => disableInTransaction(write, { moderator: actor, contributor }));
}

export const enableAccount = (database: Database, actor: number | null, contributor: number): Promise<void> =>
  transact(database, actor, (write) => enableInTransaction(write, { moderator: actor, contributor }));

type AccountDecision = Pick<Decision, 'moderator' | 'contributor'> & Partial<Pick<Decision, 'reason'>>;

export async function disableInTransaction(write: Write, decision: AccountDecision): Promise<void> {
  const { transaction, changeSet } = write;
  const { contributor } = decision;
  await requireOtherAdmin(transaction, contributor);
  await updateInTransaction(
    write,
    contributor,
    'disabled',
    sql`disabled = coalesce(disabled, ${changeSet.at})`,
  );
  await deleteSessions(transaction, contributor);
  await recordDecision(write, { ...decision, action: 'disabled' });
}

export async function enableInTransaction(write: Write, decision: AccountDecision): Promise<void> {
  const { contributor } = decision;
  await updateInTransaction(write, contributor, 'enabled', sql`disabled = null`);
  const undoneDecision = await findActiveDecision(write.transaction, 'disabled', {
    project: null,
    contributor,
  });
  await recordDecision(write, { ...decision, action: 'enabled', undoes: undoneDecision?.id ?? null });
}

/** Stores the same password with the current hash algorithm, unless the password was changed meanwhile. */
export function rehashPassword(database: Database, { id, password }: AccountDetails, hash: string) {
  const work = async ({ transaction, changeSet }: Write) => {
    await execute(transaction)`update account set password = ${hash}
      where contributor = ${id} and password = ${password}`;
    changeSet.add({ kind: 'account', action: 'hash', subject: id, owner: id });
  };
  return transact(database, id, work, { changesActor: true });
}

export async function updateInTransaction(
  { transaction, changeSet }: Write,
  contributor: number,
  action: ActionOf<'account'>,
  set: Sql,
): Promise<void> {
  await execute(transaction)`update account set ${set} where contributor = ${contributor}`;
  changeSet.add({ kind: 'account', action, subject: contributor, owner: contributor });
}
