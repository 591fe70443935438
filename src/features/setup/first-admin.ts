// The first admin of a gallery: made with the link that `serve` prints, or by `vitrine setup`.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, Invalid, NotFound } from '#common/errors.ts';
import { isSameSecret, sign } from '#common/signature.ts';
import type { Fields, Values } from '#rest/fields.ts';
import { type Database, exists, type Reader } from '#sql';
import { findAccountByUsername } from '../../core/accounts/account.ts';
import { addAccountInTransaction } from '../../core/accounts/change-account.ts';
import { findPasswordProblem, newPasswordField, type Passwords } from '../../core/accounts/passwords.ts';
import { transact, type Write } from '../../core/changes/transact.ts';
import { type ContributorNames, type ShownName, toFullNames } from '../../core/contributors/contributor.ts';
import { microsecondsPerSecond, now } from '../../core/instant.ts';
import { getOrCreateSecret } from '../../core/server-secrets.ts';
import { nameFields, newUsernameField } from '../sign-in/sign-up.ts';

const lifetime = 60 * 60 * microsecondsPerSecond;

export const setupPath = (code: string): string => `/setup/?${new URLSearchParams({ code })}`;

export const hasAdmin = (reader: Reader): Promise<boolean> =>
  exists(reader, sql`from account where role = 'admin'`);

const signEnd = async (database: Database, end: number) =>
  sign(await getOrCreateSecret(database, 'setup'), 'setup', end);

/** The code of a link; undefined if the gallery has an admin. Nothing is stored: the code says when it ends, and is signed. */
export async function createSetupCode(database: Database): Promise<string | undefined> {
  if (await hasAdmin(database)) return undefined;
  const end = now() + lifetime;
  return `${end}.${await signEnd(database, end)}`;
}

export async function isValidSetupCode(database: Database, code: string): Promise<boolean> {
  const [, end = '0', signature = ''] = /^(\d{1,16})\.([\w-]{43})$/.exec(code) ?? [];
  if (Number(end) <= now() || !isSameSecret(signature, await signEnd(database, Number(end)))) return false;
  return !(await hasAdmin(database));
}

export const setupFields = {
  username: newUsernameField,
  password: newPasswordField(apiText('password')),
  ...nameFields,
} satisfies Fields;

/** Makes the admin of somebody who holds the link, and returns their id. A contributor from an import keeps their names. */
export async function useSetupCode(
  { database, passwords }: { readonly database: Database; readonly passwords: Passwords },
  code: string,
  { username, password, first_name = '', last_name = '' }: Values<typeof setupFields>,
  shownName: ShownName,
): Promise<number> {
  if (!(await isValidSetupCode(database, code))) throw new NotFound();
  const existing = await findAccountByUsername(database, username);
  const names = existing ? toFullNames(existing) : { username, first_name, last_name };
  const problem = findPasswordProblem(names, password);
  if (problem) throw new Invalid({ password: [problem] });
  const hash = await passwords.hash(password);
  return transact(database, null, (write) => addFirstAdmin(write, names, shownName, hash));
}

/** Of two that come at once, one gets the gallery. */
export async function addFirstAdmin(
  write: Write,
  names: ContributorNames,
  shownName: ShownName,
  hash: string,
): Promise<number> {
  await write.transaction.lockChangeLog();
  if (await hasAdmin(write.transaction)) throw new Conflict(apiText('hasAdmin'));
  return (await addAccountInTransaction(write, names, shownName, 'admin', hash)).id;
}
