// What changes accounts. `actor` is who does it: null for the operator.

import sql, { type Sql } from 'sql-template-tag';
import type { Database, Transaction } from '../../database/open.ts';
import { accountTable, contributorTable } from '../../database/schema.ts';
import { Conflict, Invalid } from '../../errors.ts';
import { takeTurn } from '../changes/next-id.ts';
import { type ChangeSet, transact } from '../changes/transact.ts';
import { type Contributor, usernameKey } from '../contributors/contributor.ts';
import { formatLine } from '../dump/line.ts';
import type { Decision } from '../moderation/decision.ts';
import { record, standing } from '../moderation/record.ts';
import type { Role } from '../viewer.ts';
import { sortKey } from '../words.ts';
import { type Person, personNamed } from './account.ts';
import { endSessionsOf } from './sessions.ts';

export type Names = Pick<Contributor, 'username' | 'first_name' | 'last_name'>;

/** Nobody else may be called the same but for case: that would be the same to most who read it. */
export async function insertContributor(
  transaction: Transaction,
  changeSet: ChangeSet,
  { username, first_name, last_name }: Names,
): Promise<number> {
  await takeTurn(transaction);
  const id = await transaction.nextId(contributorTable);
  const key = usernameKey(username);
  if (await transaction.first(sql`select id from contributor where username_key = ${key} limit 1`))
    throw new Invalid({ username: [taken] });
  const created = changeSet.at;
  await transaction.put(contributorTable, [
    [id, username, first_name, last_name, sortKey(last_name), created, key],
  ]);
  const record = formatLine({ type: 'contributor', id, username, first_name, last_name, created });
  changeSet.add({ kind: 'contributor', action: 'created', subject: id, record, owner: id });
  return id;
}

export const taken = 'A user with that username already exists.';

export async function insertAccount(
  transaction: Transaction,
  changeSet: ChangeSet,
  contributor: number,
  role: Role,
  hash: string | null,
): Promise<void> {
  await transaction.put(accountTable, [[contributor, hash, role, null]]);
  changeSet.add({ kind: 'account', action: 'created', subject: contributor, owner: contributor });
}

/** By the operator; a contributor who has no account yet, as after an import, gets one and keeps their names. */
export function addAccount(
  database: Database,
  names: Names,
  role: Role,
  hash: string | null,
): Promise<{ readonly made: 'contributor' | 'account' }> {
  return transact(database, null, async (transaction, changeSet) => {
    const present = await personNamed(transaction, names.username);
    if (present && present.role !== null) throw new Conflict(`${present.username} has an account already.`);
    const id = present?.id ?? (await insertContributor(transaction, changeSet, names));
    await insertAccount(transaction, changeSet, id, role, hash);
    return { made: present ? 'account' : 'contributor' };
  });
}

export function setRole(
  database: Database,
  actor: number | null,
  contributor: number,
  role: Role,
): Promise<void> {
  return alter(database, actor, contributor, 'role', sql`role = ${role}`);
}

/** Whoever is signed in by the old one is not any more. */
export function setPassword(
  database: Database,
  actor: number | null,
  contributor: number,
  hash: string,
): Promise<void> {
  return alter(database, actor, contributor, 'password', sql`password = ${hash}`, endSessionsOf);
}

/** The keys stay, and open nothing as long as it is so. */
export function disable(database: Database, actor: number | null, contributor: number): Promise<void> {
  return transact(database, actor, (transaction, changeSet) =>
    disabled(transaction, changeSet, { moderator: actor, contributor }),
  );
}

export function enable(database: Database, actor: number | null, contributor: number): Promise<void> {
  return transact(database, actor, (transaction, changeSet) =>
    enabled(transaction, changeSet, { moderator: actor, contributor }),
  );
}

/** Who has it done to whom, and why. */
type Judged = Pick<Decision, 'moderator' | 'contributor'> & Partial<Pick<Decision, 'reason'>>;

export async function disabled(
  transaction: Transaction,
  changeSet: ChangeSet,
  judged: Judged,
): Promise<void> {
  const { contributor } = judged;
  await altered(
    transaction,
    changeSet,
    contributor,
    'disabled',
    sql`disabled = coalesce(disabled, ${changeSet.at})`,
  );
  await endSessionsOf(transaction, contributor);
  await record(transaction, changeSet, { ...judged, action: 'disabled' });
}

export async function enabled(transaction: Transaction, changeSet: ChangeSet, judged: Judged): Promise<void> {
  const { contributor } = judged;
  await altered(transaction, changeSet, contributor, 'enabled', sql`disabled = null`);
  const undone = await standing(transaction, 'disabled', { project: null, contributor });
  await record(transaction, changeSet, { ...judged, action: 'enabled', undoes: undone?.id ?? null });
}

/** The same password, hashed as it is done today; unless it was changed meanwhile. */
export function renewHash(database: Database, { id, password }: Person, hash: string): Promise<void> {
  return transact(database, id, async (transaction, changeSet) => {
    await transaction.run(
      sql`update account set password = ${hash} where contributor = ${id} and password = ${password}`,
    );
    changeSet.add({ kind: 'account', action: 'hash', subject: id, owner: id });
  });
}

function alter(
  database: Database,
  actor: number | null,
  contributor: number,
  action: string,
  set: Sql,
  also?: (transaction: Transaction, contributor: number) => Promise<void>,
): Promise<void> {
  return transact(database, actor, async (transaction, changeSet) => {
    await altered(transaction, changeSet, contributor, action, set);
    await also?.(transaction, contributor);
  });
}

async function altered(
  transaction: Transaction,
  changeSet: ChangeSet,
  contributor: number,
  action: string,
  set: Sql,
): Promise<void> {
  await transaction.run(sql`update account set ${set} where contributor = ${contributor}`);
  changeSet.add({ kind: 'account', action, subject: contributor, owner: contributor });
}
