// A sign-in that is not finished: the first step was right, and a second factor or a new account is still to come. The
// browser keeps it in a signed ticket, which is of no use once the password has changed or the identity is gone.

import { isSameSecret, sign } from '../../common/signature.ts';
import type { Reader } from '../../database/database.ts';
import { findAccount } from '../accounts/account.ts';
import type { SignedInAccount } from '../accounts/sessions.ts';
import { microsecondsPerSecond, now } from '../instant.ts';
import type { CourseThere, PersonNames } from './identity.ts';

export const pendingSeconds = 10 * 60;

/** Somebody who has signed in elsewhere and has no account here. */
export interface NewPerson extends PersonNames {
  readonly subject: string;
  /** The name of the place elsewhere. */
  readonly label: string;
  /** Where they go afterwards. */
  readonly next: string;
}

/** The course from which somebody has come. */
export interface PendingCourse extends CourseThere {
  readonly subject: string;
}

export class PendingSignIns {
  constructor(private readonly secret: string) {}

  createTicket({ id, passwordHash = '', identity = 0 }: SignedInAccount): string {
    return this.#seal(`${id} ${identity}`, passwordHash);
  }

  /** The account of a valid ticket. */
  async find(reader: Reader, ticket = ''): Promise<SignedInAccount | undefined> {
    const [id = NaN, identity = 0] = toText(ticket).split(' ').map(Number);
    const account = Number.isSafeInteger(id) ? await findAccount(reader, id) : undefined;
    if (!account || account.disabled !== null) return undefined;
    // Whoever typed the password proved that one.
    const passwordHash = identity > 0 ? undefined : (account.password ?? undefined);
    if (identity === 0 && passwordHash === undefined) return undefined;
    if (this.#open(ticket, passwordHash) === undefined) return undefined;
    return { id, ...(identity > 0 ? { identity } : { passwordHash }), hasSecondFactor: true };
  }

  createTicketForNewPerson(person: NewPerson): string {
    return this.#seal(JSON.stringify(person), 'new person');
  }

  findNewPerson(ticket = ''): NewPerson | undefined {
    const text = this.#open(ticket, 'new person');
    return text === undefined ? undefined : JSON.parse(text);
  }

  createTicketForCourse(course: PendingCourse): string {
    return this.#seal(JSON.stringify(course), 'course');
  }

  findCourse(ticket = ''): PendingCourse | undefined {
    const text = this.#open(ticket, 'course');
    return text === undefined ? undefined : JSON.parse(text);
  }

  #seal(text: string, terms: string): string {
    const content = Buffer.from(text).toString('base64url');
    const expires = String(now() + pendingSeconds * microsecondsPerSecond);
    return [content, expires, this.#sign(content, expires, terms)].join('.');
  }

  #open(ticket: string, terms = ''): string | undefined {
    const [content = '', expires = '', signature = ''] = ticket.split('.');
    if (!(Number(expires) > now()) || !isSameSecret(signature, this.#sign(content, expires, terms)))
      return undefined;
    return toText(ticket);
  }

  #sign(...parts: string[]): string {
    return sign(this.secret, 'pending', ...parts);
  }
}

const toText = (ticket: string) => Buffer.from(ticket.split('.', 1)[0] ?? '', 'base64url').toString();
