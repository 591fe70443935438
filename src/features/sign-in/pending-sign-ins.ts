// A sign-in that is not finished: the first step was right, and a second factor or a new account is still to come. The browser
// keeps it in a signed ticket.

import { openTicket, type Secret, sealTicket } from '#common/signature.ts';
import type { Reader } from '#sql';
import { findAccount } from '../../core/accounts/account.ts';
import { hashSecret } from '../../core/accounts/secret.ts';
import type { SignedInAccount } from '../../core/accounts/sessions.ts';

export const pendingSeconds = 10 * 60;

/** The ticket is of no use once the password has changed or the linked account is gone. */
interface PendingSecondFactor {
  readonly id: number;
  readonly linkedAccount?: number;
  readonly hashOfPasswordHash?: string;
}

export class PendingSignIns {
  constructor(private readonly secret: Secret) {}

  createTicket({ id, passwordHash, linkedAccount }: SignedInAccount): string {
    const hashOfPasswordHash = passwordHash && hashSecret(passwordHash);
    return this.seal('second factor', { id, linkedAccount, hashOfPasswordHash });
  }

  /** The account of a valid ticket. */
  async find(reader: Reader, ticket?: string): Promise<SignedInAccount | undefined> {
    const pending = this.open<PendingSecondFactor>('second factor', ticket);
    const account = pending && (await findAccount(reader, pending.id));
    if (!account || account.disabled !== null) return undefined;
    const { id, password } = account;
    const { linkedAccount, hashOfPasswordHash } = pending;
    if (linkedAccount !== undefined) return { id, linkedAccount, hasSecondFactor: true };
    if (password === null || hashSecret(password) !== hashOfPasswordHash) return undefined;
    return { id, passwordHash: password, hasSecondFactor: true };
  }

  /** A ticket for one purpose; `open` reads it for the same. */
  seal(purpose: string, content: object, seconds = pendingSeconds): string {
    return sealTicket(this.secret, purpose, content, seconds);
  }

  open<Content extends object>(purpose: string, ticket = ''): Content | undefined {
    return openTicket<Content>(this.secret, purpose, ticket);
  }
}
