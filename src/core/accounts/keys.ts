// API keys, which identify their owner. The secret of a key is shown once, when the key is created.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid, NotFound } from '#common/errors.ts';
import { all, count, type Database, execute, first, pick, type Reader, type RowOf } from '#sql';
import { transact, type Write } from '../changes/transact.ts';
import { addDays, type Instant } from '../instant.ts';
import { queueNotice } from '../mail/queue.ts';
import { keyColumns, requireSamePassword } from './account.ts';
import { hashSecret, newSecret } from './secret.ts';
import { apiKeyTable } from './tables.ts';

/** `last_used` is exact to the hour, and null if the key was never used. */
export type ApiKey = Omit<RowOf<typeof keyColumns>, 'can_write'> & { readonly can_write: boolean };

export const keyLimits = { name: 100, keys: 50, days: 3650 } as const;

/** Lets secret scanners find a leaked key. */
export const keyPrefix = 'vtr_';

/** The name of keys that the token endpoint of Django REST framework creates. */
const tokenName = 'auth/token';
const maxTokens = 20;

interface KeyRequest extends Pick<ApiKey, 'contributor' | 'name' | 'can_write'> {
  /** Called with the time when the key is created. */
  readonly expires: (created: Instant) => Instant | null;
  /** The hash of the password that was checked for this key; the operator needs none. */
  readonly passwordHash?: string;
}

export interface NewKey {
  readonly key: ApiKey;
  /** Shown once; only its hash is stored. */
  readonly secret: string;
}

export function createKey(database: Database, actor: number | null, request: KeyRequest): Promise<NewKey> {
  const secret = newSecret(keyPrefix);
  return transact(database, actor, async (write) => {
    const { transaction } = write;
    const key = await insertKey(write, request, hashSecret(secret));
    const keys = sql`from api_key where contributor = ${request.contributor} and name <> ${tokenName}`;
    if ((await count(transaction, keys)) > keyLimits.keys)
      throw new Invalid({ non_field_errors: [apiText('maxKeys', { max: keyLimits.keys })] });
    await queueNotice(transaction, request.contributor, 'key_created');
    return { key, secret };
  });
}

/** Creates a key that expires in a year; deletes the oldest beyond `maxTokens`. */
export function createToken(database: Database, contributor: number, passwordHash?: string): Promise<NewKey> {
  const secret = newSecret(keyPrefix);
  return transact(database, contributor, async (write) => {
    const request: KeyRequest = {
      contributor,
      name: tokenName,
      can_write: true,
      expires: (created) => addDays(created, 365),
      passwordHash,
    };
    const key = await insertKey(write, request, hashSecret(secret));
    const tokens = await all(write.transaction, pick(apiKeyTable.columns, 'id'))`from api_key
      where contributor = ${contributor} and name = ${tokenName} order by id desc`;
    for (const { id } of tokens.slice(maxTokens)) await removeKey(write, id, contributor);
    return { key, secret };
  });
}

async function insertKey(
  { transaction, changeSet }: Write,
  { contributor, name, can_write, expires, passwordHash }: KeyRequest,
  hash: string,
): Promise<ApiKey> {
  if (passwordHash !== undefined) await requireSamePassword(transaction, contributor, passwordHash);
  await transaction.lockChangeLog();
  const id = await transaction.nextId(apiKeyTable);
  const key: ApiKey = {
    id,
    contributor,
    name,
    can_write,
    created: changeSet.at,
    expires: expires(changeSet.at),
    last_used: null,
  };
  await transaction.upsert(apiKeyTable, [{ ...key, can_write: can_write ? 1 : 0, hash }]);
  changeSet.add({ kind: 'key', action: 'created', subject: id, owner: contributor });
  return key;
}

export async function loadKeys(reader: Reader, contributor: number): Promise<ApiKey[]> {
  const rows = await all(reader, keyColumns)`from api_key where contributor = ${contributor} order by id`;
  return rows.map((row) => ({ ...row, can_write: row.can_write === 1 }));
}

/** Any contributor's key if no owner is given. */
export function revokeKey(database: Database, actor: number | null, id: number, owner?: number) {
  return transact(database, actor, async (write) => {
    const { transaction } = write;
    // The same lock order as in `createKey`: otherwise this and `createToken` could deadlock.
    await transaction.lockChangeLog();
    const key = await first(transaction, pick(apiKeyTable.columns, 'contributor'))`from api_key
      where id = ${id}`;
    if (!key || (owner !== undefined && key.contributor !== owner)) throw new NotFound();
    await removeKey(write, id, key.contributor);
  });
}

export async function revokeKeys(write: Write, contributor: number): Promise<void> {
  const { transaction } = write;
  await transaction.lockChangeLog();
  const keys = await all(transaction, pick(apiKeyTable.columns, 'id'))`from api_key
    where contributor = ${contributor} order by id`;
  for (const { id } of keys) await removeKey(write, id, contributor);
}

async function removeKey({ transaction, changeSet }: Write, id: number, contributor: number): Promise<void> {
  await execute(transaction)`delete from api_key where id = ${id}`;
  changeSet.add({ kind: 'key', action: 'revoked', subject: id, owner: contributor });
}
