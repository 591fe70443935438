// A passkey lets its owner sign in without a password, on the host where it was made. The device keeps the private key.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import {
  all,
  count,
  type Database,
  execute,
  executeReturning,
  exists,
  first,
  one,
  type Reader,
  type Row,
} from '#sql';
import { passkeyTable } from '../../../core/accounts/tables.ts';
import { transact } from '../../../core/changes/transact.ts';
import { now } from '../../../core/instant.ts';
import { queueNotice } from '../../../core/mail/queue.ts';

/** `credential` and `public_key` are base64url, `transports` are separated by spaces. */
export type Passkey = Row<typeof passkeyTable>;

export const passkeyLimits = { name: 100, passkeys: 10, credential: 1400, publicKey: 2000 } as const;

export type NewPasskey = Pick<Passkey, 'credential' | 'public_key' | 'counter' | 'transports' | 'host'>;

export const loadPasskeys = (reader: Reader, contributor: number): Promise<Passkey[]> =>
  all(reader, passkeyTable.columns)`from passkey where contributor = ${contributor} order by id`;

export function findPasskey(reader: Reader, credential: string, host: string): Promise<Passkey | undefined> {
  return first(reader, passkeyTable.columns)`from passkey
    where credential = ${credential} and host = ${host}`;
}

export function loadOwnPasskey(reader: Reader, id: number, owner: number): Promise<Passkey> {
  return one(reader, passkeyTable.columns)`from passkey
    where id = ${id} and contributor = ${owner}`;
}

export function addPasskey(database: Database, contributor: number, name: string, passkey: NewPasskey) {
  return transact(database, contributor, async ({ transaction, changeSet }) => {
    await transaction.lockChangeLog();
    const id = await transaction.nextId(passkeyTable);
    if (
      (await count(transaction, sql`from passkey where contributor = ${contributor}`)) >=
      passkeyLimits.passkeys
    )
      throw new Invalid({ non_field_errors: [tooManyPasskeys] });
    if (await exists(transaction, sql`from passkey where credential = ${passkey.credential}`))
      throw new Invalid({ non_field_errors: [apiText('passkeyUsed')] });
    const created = changeSet.at;
    await transaction.insert(passkeyTable, [{ ...passkey, id, contributor, name, created, last_used: null }]);
    changeSet.add({ kind: 'passkey', action: 'created', subject: id, owner: contributor });
    await queueNotice(transaction, contributor, 'passkey_created');
  });
}

export const tooManyPasskeys = apiText('maxPasskeys', { max: passkeyLimits.passkeys });

const lastPasskey = apiText('lastPasskey');

/** Where there are no passwords, a passkey or a linked account is left. */
export function removePasskey(
  { database, allowsPasswords }: { readonly database: Database; readonly allowsPasswords: boolean },
  contributor: number,
  id: number,
): Promise<void> {
  return transact(database, contributor, async ({ transaction, changeSet }) => {
    // The same lock order as in `addPasskey`: otherwise the two could deadlock.
    await transaction.lockChangeLog();
    await loadOwnPasskey(transaction, id, contributor);
    if ((await count(transaction, sql`from passkey where contributor = ${contributor}`)) === 1) {
      const isOwned = sql`where contributor = ${contributor}`;
      if (await exists(transaction, sql`from second_factor ${isOwned}`))
        throw new Invalid({ non_field_errors: [lastPasskey] });
      if (!allowsPasswords && !(await exists(transaction, sql`from linked_account ${isOwned}`)))
        throw new Invalid({ non_field_errors: [apiText('onlyPasskey')] });
    }
    await execute(transaction)`delete from passkey where id = ${id}`;
    changeSet.add({ kind: 'passkey', action: 'removed', subject: id, owner: contributor });
    await queueNotice(transaction, contributor, 'passkey_removed');
  });
}

/**
 * Stores the counter that the device has sent. False if the passkey was removed, or used meanwhile with a counter that
 * is not lower.
 */
export async function recordUse(database: Database, id: number, counter: number): Promise<boolean> {
  const used = await database.transaction(
    (transaction) =>
      executeReturning(transaction, passkeyTable.columns)`update passkey
        set counter = ${counter}, last_used = ${now()}
      where id = ${id} and (counter < ${counter} or ${counter} = 0)`,
  );
  return used !== undefined;
}
