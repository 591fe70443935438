// Every write goes through `transact`: it runs in one transaction, which also writes the change log.

import sql, { type Sql } from 'sql-template-tag';
import { NotSignedIn } from '#common/errors.ts';
import {
  type Columns,
  type CountChange,
  type CountLimit,
  type Database,
  type NewChange,
  pick,
  type Recipient,
  select,
  type Table,
  type Transaction,
  type Value,
  type WriteOptions,
} from '#sql';
import { reportAccountEvent } from '../accounts/account-events.ts';
import { accountTable } from '../accounts/tables.ts';
import { type Instant, now } from '../instant.ts';
import type { ActionOf, ChangeKindName, NotificationKind } from './change-kinds.ts';

interface ChangeOf<Kind extends ChangeKindName> {
  readonly kind: Kind;
  readonly action: ActionOf<Kind>;
  /** The id of the changed row; for a rating, the project's. */
  readonly subject: number;
  /** The new state as a dump line, without secrets. */
  readonly record?: string;
  readonly owner?: number | null;
  /** Whether visitors' listings have it now or had it before. */
  readonly listed?: boolean;
}

export type Change = { [Kind in ChangeKindName]: ChangeOf<Kind> }[ChangeKindName];

/** The changes of a transaction: the entries for the change log, who is notified, and the changes of stored counts. */
export class ChangeSet {
  readonly changes: Change[] = [];
  readonly counts = new StoredCountChanges();
  /** By the kind and the subject of a change, then by contributor: two reasons to notify somebody count once. */
  readonly #recipients = new Map<string, Map<number, Recipient>>();

  constructor(
    /** The time of the write. */
    readonly at: Instant,
  ) {}

  add(change: Change): void {
    this.changes.push(change);
  }

  /** Of the change of this kind and subject. The first reason counts. */
  notify(kind: ChangeKindName, subject: number, recipient: Recipient & { kind: NotificationKind }): void {
    const key = `${kind} ${subject}`;
    const known = this.#recipients.get(key) ?? new Map<number, Recipient>();
    if (!known.has(recipient.contributor)) known.set(recipient.contributor, recipient);
    this.#recipients.set(key, known);
  }

  /** Nobody is notified of what they do themselves. */
  recipientsOf({ kind, subject }: Change, actor: number | null): Recipient[] | undefined {
    const recipients = this.#recipients.get(`${kind} ${subject}`);
    return recipients && [...recipients.values()].filter(({ contributor }) => contributor !== actor);
  }
}

/** A transaction, and what it has changed so far. */
export interface Write {
  readonly transaction: Transaction;
  readonly changeSet: ChangeSet;
}

export interface TransactOptions extends WriteOptions {
  /** The work changes the account of the actor. Two that share its row first and want to change it then would deadlock. */
  readonly changesActor?: boolean;
}

/**
 * `actor` is the contributor who writes: null for the operator. A contributor whose account was deleted or disabled
 * while the request was waiting cannot write. Anything that `work` does outside the transaction may happen twice (a transaction is
 * retried).
 */
export async function transact<Result>(
  database: Database,
  actor: number | null,
  work: (write: Write) => Promise<Result>,
  { changesActor = false, isIndependent }: TransactOptions = {},
): Promise<Result> {
  const { result, changes } = await database.transaction(
    async (transaction) => {
      const lock = changesActor ? transaction.forUpdate : transaction.forShare;
      const changeSet = new ChangeSet(now());
      // Sent together with the first statement of the work.
      const allowed = actor === null || requireEnabled(transaction, actor, lock);
      const [result] = await Promise.all([work({ transaction, changeSet }), allowed]);
      const rows = changeSet.changes.map((change) => ({
        ...toRow(change, actor, changeSet.at),
        recipients: changeSet.recipientsOf(change, actor),
      }));
      const counts = changeSet.counts.list();
      if (rows.length + counts.length > 0) await transaction.appendChanges(rows, counts);
      return { result, changes: changeSet.changes };
    },
    { isIndependent },
  );
  for (const change of changes) reportChange(database, actor, change);
  return result;
}

const accountId = pick(accountTable.columns, 'contributor');

async function requireEnabled(transaction: Transaction, contributor: number, lock: Sql): Promise<void> {
  const isEnabled = sql`contributor = ${contributor} and disabled is null`;
  const query = select(accountId, sql`from account where ${isEnabled} ${lock}`);
  if (!(await transaction.first(query))) throw new NotSignedIn();
}

const loggedKinds = new Set<ChangeKindName>([
  'account',
  'passkey',
  'linked_account',
  'second_factor',
  'invitation',
  'site',
]);

/** Changes of accounts, keys, passkeys and the site are events of the log, except those of an import, which may be very many. */
function reportChange(database: Database, actor: number | null, change: Change): void {
  const { kind, action, subject, owner = null } = change;
  if (action === 'imported' || action === 'hash') return;
  const event = `${kind} ${action}`;
  if (kind === 'key') reportAccountEvent(database, { event, actor, contributor: owner, key: subject });
  else if (loggedKinds.has(kind) || action === 'left')
    reportAccountEvent(database, { event, actor, contributor: owner });
}

function toRow(change: Change, actor: number | null, at: Instant): NewChange {
  const { action, kind, subject, record = '', owner = null, listed = false } = change;
  return { at, actor, action, kind, subject, record, owner, listed: listed ? 1 : 0 };
}

/** A table of stored counts: its key, and the column `count`. */
type CountTable<Column extends string> = Table<Columns, Column>;

/** Collects what a transaction adds to stored counts or subtracts from them. */
export class StoredCountChanges {
  readonly #changes = new Map<string, CountChange>();
  readonly #limits = new Map<string, CountLimit>();

  add<Column extends string>(
    table: CountTable<Column>,
    row: Readonly<Record<Column, Value>>,
    difference: number,
  ): void {
    const key = identify(table, row);
    const before = this.#changes.get(key)?.difference ?? 0;
    const keyRow = Object.fromEntries(table.key.map((column) => [column, row[column]]));
    this.#changes.set(key, { table, row: keyRow, difference: before + difference });
  }

  /** Makes the transaction fail if it raises the count above the maximum. */
  limit<Column extends string>(
    table: CountTable<Column>,
    row: Readonly<Record<Column, Value>>,
    max: number,
    createError: () => Error,
  ): void {
    this.#limits.set(identify(table, row), { max, createError });
  }

  /** In a fixed order, which prevents deadlocks. */
  list(): CountChange[] {
    return [...this.#changes]
      .filter(([, { difference }]) => difference !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, change]) => ({ ...change, limit: this.#limits.get(key) }));
  }
}

function identify<Column extends string>(table: CountTable<Column>, row: Readonly<Record<Column, Value>>) {
  return JSON.stringify([table.name, table.key.map((column) => row[column])]);
}
