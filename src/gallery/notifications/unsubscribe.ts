// The link that ends mails about notifications with one click, without signing in. Its code stays valid: mails are kept
// for years.

import { isSameSecret, sign } from '../../common/signature.ts';
import type { Database } from '../../database/database.ts';
import { parseId } from '../ids.ts';
import { getOrCreateSecret } from '../server-secrets.ts';

export const unsubscribePath = (code: string): string => `/unsubscribe/?${new URLSearchParams({ code })}`;

export async function createUnsubscribeCode(database: Database, contributor: number): Promise<string> {
  const secret = await getOrCreateSecret(database, 'unsubscribe');
  return `${contributor}-${sign(secret, contributor)}`;
}

/** The contributor that the code is for; undefined if it is no code. */
export async function findUnsubscriber(database: Database, code: string): Promise<number | undefined> {
  const contributor = parseId(code.split('-', 1)[0] ?? '');
  if (contributor === undefined) return undefined;
  return isSameSecret(code, await createUnsubscribeCode(database, contributor)) ? contributor : undefined;
}
