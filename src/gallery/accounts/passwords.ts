// Passwords: which may be chosen, and how they are hashed and checked. Hashing is made to be dear, so that it is done
// off the event loop, and only so many at once.

import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Unavailable } from '../../errors.ts';
import { type Field, Refused, textField } from '../../fields.ts';
import { usernameKey } from '../contributors/contributor.ts';
import { commonPasswords } from './common-passwords.ts';

/** What OWASP asks for at least: 19 MiB and two passes. */
const argon2id = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const ours = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Nobody's: what a guess is checked against where there is no password, so that it takes as long. */
const nobodys =
  '$argon2id$v=19$m=19456,t=2,p=1$zKVcUCCRlcnJ05zbSQ8V3mLdcT1i+/B0nJ1w3WWbrHs$5Tfcm+dXuQn/Qh1wvL3NDEH25+km7BNwAPWXfl3IHxM';

const least = 8;
const most = 256;

/** Django lets them be longer, and those of an import are as they are. */
const mostEver = 4096;

const atOnce = 2;
const mayWait = 50;

export interface Verdict {
  readonly right: boolean;
  /** It was hashed as is not done any more: hash it anew. */
  readonly outdated: boolean;
}

export class Passwords {
  /** How many were hashed or checked. */
  hashings = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.#inTurn(() => Bun.password.hash(password, argon2id));
  }

  /** Without a hash it is wrong, and takes as long to be told so. */
  check(password: string, hash: string | null): Promise<Verdict> {
    return this.#inTurn(async () => {
      const right = hash?.startsWith('pbkdf2_sha256$')
        ? await fitsDjangos(password, hash)
        : (await Bun.password.verify(password, hash ?? nobodys)) && hash !== null;
      return { right, outdated: right && !hash?.startsWith(ours) };
    });
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= atOnce) {
      if (this.#waiting.length >= mayWait) throw new Unavailable();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    this.hashings++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever is next takes the place over.
      if (next) next();
      else this.#running--;
    }
  }
}

const derive = promisify(pbkdf2);

/** `pbkdf2_sha256$iterations$salt$base64`. */
async function fitsDjangos(password: string, hash: string): Promise<boolean> {
  const [, iterations = '', salt = '', wanted = ''] = hash.split('$');
  const expected = Buffer.from(wanted, 'base64');
  const derived = await derive(password, salt, Number(iterations), expected.length, 'sha256');
  return timingSafeEqual(derived, expected);
}

const schema = { type: 'string', format: 'password', writeOnly: true };

/** A password as it is given to sign in: any that could be somebody's. */
export function passwordGiven(label: string): Field<string> {
  const given = textField({ label, required: true, most: mostEver });
  return { ...given, autocomplete: 'current-password', schema: { ...given.schema, ...schema } };
}

/** A password that is to be somebody's from now on. */
export function passwordChosen(label: string): Field<string> {
  const given = textField({ label, required: true, most });
  return {
    ...given,
    autocomplete: 'new-password',
    help: `${least} to ${most} characters; not the username, and none of the commonest passwords.`,
    schema: { ...given.schema, ...schema, minLength: least },
    read(value) {
      const password = given.read(value);
      if ([...password].length < least)
        throw new Refused(`This password is too short. It must contain at least ${least} characters.`);
      if (commonPasswords.has(password.toLowerCase())) throw new Refused('This password is too common.');
      return password;
    },
  };
}

/** What else is wrong with it, as this person's. */
export function wrongFor(username: string, password: string): string | undefined {
  return usernameKey(username) === usernameKey(password)
    ? 'The password must not be the username.'
    : undefined;
}
