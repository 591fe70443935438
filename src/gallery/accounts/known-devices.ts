// A browser that has signed in keeps a signed cookie with a mark for each account. There its owner can sign in while others
// who share the network address guess passwords. The cookie opens nothing by itself, and a guess counts on the device too.

import { randomBytes } from 'node:crypto';
import { isSameSecret, sign } from '../../common/signature.ts';

/** Where somebody signs in. */
export interface Client {
  /** The network address. */
  readonly address: string;
  /** The cookie of the device, as it was sent. */
  readonly device?: string | undefined;
}

/** A shared screen is known for the last accounts that signed in there. */
const maxMarks = 10;
const markLength = 22;

export class KnownDevices {
  constructor(private readonly secret: string) {}

  /** The id of the device if this contributor has signed in there. */
  find(cookie: string | undefined, contributor: number): string | undefined {
    const { id, marks } = parse(cookie);
    const mark = this.#markFor(id, contributor);
    return marks.some((other) => isSameSecret(other, mark)) ? id : undefined;
  }

  /** The cookie after a sign-in there. */
  add(cookie: string | undefined, contributor: number): string {
    const { id, marks } = parse(cookie);
    const mark = this.#markFor(id, contributor);
    return [id, mark, ...marks.filter((other) => other !== mark).slice(0, maxMarks - 1)].join('.');
  }

  #markFor(id: string, contributor: number): string {
    return sign(this.secret, 'device', id, contributor).slice(0, markLength);
  }
}

function parse(cookie = ''): { id: string; marks: string[] } {
  const [id = '', ...marks] = /^[\w-]{22}(\.[\w-]{22})+$/.test(cookie) ? cookie.split('.') : [];
  return id === '' ? { id: randomBytes(16).toString('base64url'), marks } : { id, marks };
}
