// An invitation lets one person sign up where sign-up is not open.

import sql from 'sql-template-tag';
import type { Database, Transaction } from '../../database/open.ts';
import { invitationTable } from '../../database/schema.ts';
import { transact } from '../changes/transact.ts';
import { addDays, type Instant, now } from '../instant.ts';
import { hashSecret, newSecret } from './secret.ts';

const lifetimeDays = 14;

export interface Invitation {
  readonly secret: string;
  readonly expires: Instant;
}

/** `actor` is the contributor who invites: null for the operator. */
export function createInvitation(database: Database, actor: number | null): Promise<Invitation> {
  const secret = newSecret();
  return transact(database, actor, async (transaction, changeSet) => {
    const expires = addDays(changeSet.at, lifetimeDays);
    await transaction.insert(invitationTable, [
      { hash: hashSecret(secret), created_by: actor, created: changeSet.at, expires },
    ]);
    changeSet.add({ kind: 'invitation', action: 'created', subject: actor ?? 0, owner: actor });
    return { secret, expires };
  });
}

/** Uses the invitation up; false if it was not valid. */
export async function redeemInvitation(transaction: Transaction, secret: string): Promise<boolean> {
  const redeemed = await transaction.runReturning(
    invitationTable.columns,
    sql`delete from invitation where hash = ${hashSecret(secret)} and expires > ${now()}`,
  );
  return redeemed !== undefined;
}
