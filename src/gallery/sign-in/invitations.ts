// An invitation lets one person sign up where sign-up is not open.

import sql from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import type { Database, Reader, Transaction } from '../../database/database.ts';
import { exists } from '../../database/query.ts';
import { invitationTable } from '../../database/schema.ts';
import { hashSecret, newSecret } from '../accounts/secret.ts';
import { transact } from '../changes/transact.ts';
import { addDays, type Instant, now } from '../instant.ts';

const lifetimeDays = 14;

/** How many can be created at a time: enough for a class. */
export const maxInvitations = 50;

export interface Invitations {
  readonly secrets: readonly string[];
  readonly expires: Instant;
}

/** `actor` is the contributor who invites: null for the operator. */
export function createInvitations(database: Database, actor: number | null, count = 1): Promise<Invitations> {
  const secrets = Array.from({ length: count }, () => newSecret());
  return transact(database, actor, async (transaction, changeSet) => {
    const expires = addDays(changeSet.at, lifetimeDays);
    const row = { created_by: actor, created: changeSet.at, expires };
    await transaction.insert(
      invitationTable,
      secrets.map((secret) => ({ hash: hashSecret(secret), ...row })),
    );
    for (const _ of secrets)
      changeSet.add({ kind: 'invitation', action: 'created', subject: actor ?? 0, owner: actor });
    return { secrets, expires };
  });
}

export const invalidInvitation = apiText('invitationInvalid');

export function isValidInvitation(reader: Reader, secret: string): Promise<boolean> {
  return exists(reader, sql`from invitation where ${isRedeemable(secret)}`);
}

const isRedeemable = (secret: string) => sql`hash = ${hashSecret(secret)} and expires > ${now()}`;

/** Uses the invitation up; false if it was not valid. */
export async function redeemInvitation(transaction: Transaction, secret: string): Promise<boolean> {
  const redeemed = await transaction.runReturning(
    invitationTable.columns,
    sql`delete from invitation where ${isRedeemable(secret)}`,
  );
  return redeemed !== undefined;
}
