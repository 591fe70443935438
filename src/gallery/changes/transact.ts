// Every write goes through here: it happens in one transaction, which also says in the change log what it did.

import sql from 'sql-template-tag';
import type { Database, Transaction } from '../../database/open.ts';
import type { Value } from '../../database/schema.ts';
import { NotSignedIn } from '../../errors.ts';
import { type Instant, now } from '../instant.ts';
import { ProjectCountChanges } from '../projects/project-counts.ts';

type AccountKind = 'contributor' | 'account' | 'key' | 'invitation';
type ModerationKind = 'report' | 'decision';

export interface Change {
  readonly action: string;
  readonly kind: 'project' | 'rating' | 'thread' | AccountKind | ModerationKind;
  /** The id of what was changed; of a rating, the project's. */
  readonly subject: number;
  /** What it is now, as a line of a dump; nothing of what is secret. */
  readonly record?: string;
  readonly owner?: number | null;
  /** Visitors' listings had it before or have it now. */
  readonly listed?: boolean;
}

/** What a transaction did, to be told of in the change log. */
export class ChangeSet {
  readonly changes: Change[] = [];
  readonly counts = new ProjectCountChanges();

  constructor(
    /** When the write happens. */
    readonly at: Instant,
  ) {}

  add(change: Change): void {
    this.changes.push(change);
  }
}

/**
 * `actor` is who does it: null for the operator. Whoever left or was kept out after they asked, while what they sent came
 * in or waited, does nothing any more. What `work` does outside the transaction may happen twice.
 */
export function transact<Result>(
  database: Database,
  actor: number | null,
  work: (transaction: Transaction, changeSet: ChangeSet) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    if (actor !== null && !(await isAccountEnabled(transaction, actor))) throw new NotSignedIn();
    const changeSet = new ChangeSet(now());
    const result = await work(transaction, changeSet);
    const rows = changeSet.changes.map((change) => toRow(change, actor, changeSet.at));
    const counts = changeSet.counts.statements().map((statement) => transaction.run(statement));
    await Promise.all([...counts, rows.length ? transaction.appendChanges(rows) : undefined]);
    return result;
  });
}

async function isAccountEnabled(transaction: Transaction, contributor: number): Promise<boolean> {
  const account = await transaction.first(
    sql`select contributor from account where contributor = ${contributor} and disabled is null ${transaction.forShare}`,
  );
  return account !== undefined;
}

function toRow(change: Change, actor: number | null, at: Instant): Value[] {
  const { action, kind, subject, record = '', owner = null, listed = false } = change;
  return [null, at, actor, action, kind, subject, record, owner, listed ? 1 : 0];
}
