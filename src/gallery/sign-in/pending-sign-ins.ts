// A sign-in whose password was right and whose second factor is still to come. The browser keeps it in a signed ticket,
// which is of no use once the password has changed.

import { isSameSecret, sign } from '../../common/signature.ts';
import type { Reader } from '../../database/database.ts';
import { findAccount } from '../accounts/account.ts';
import type { SignedInAccount } from '../accounts/sessions.ts';
import { microsecondsPerSecond, now } from '../instant.ts';

export const pendingSeconds = 10 * 60;

export class PendingSignIns {
  constructor(private readonly secret: string) {}

  createTicket({ id, passwordHash = '' }: SignedInAccount): string {
    const expires = String(now() + pendingSeconds * microsecondsPerSecond);
    return [id, expires, this.#sign(String(id), expires, passwordHash)].join('.');
  }

  /** The account of a valid ticket. */
  async find(reader: Reader, ticket = ''): Promise<SignedInAccount | undefined> {
    const [id = '', expires = '', signature = ''] = ticket.split('.');
    if (!/^\d{1,15}$/.test(id) || !(Number(expires) > now())) return undefined;
    const account = await findAccount(reader, Number(id));
    if (!account?.password || account.disabled !== null) return undefined;
    if (!isSameSecret(signature, this.#sign(id, expires, account.password))) return undefined;
    return { id: account.id, passwordHash: account.password, hasSecondFactor: true };
  }

  #sign(...parts: string[]): string {
    return sign(this.secret, 'pending', ...parts);
  }
}
