// Passwords: which may be chosen, and how they are hashed and checked. Hashing is made to be dear, so that it is done
// off the event loop, and only so many at once.

import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Unavailable } from '../../errors.ts';
import { type Field, InvalidValue, textField } from '../../fields.ts';
import { usernameKey } from '../contributors/contributor.ts';
import { commonPasswords } from './common-passwords.ts';

/** What OWASP asks for at least: 19 MiB and two passes. */
const argon2idOptions = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const currentPrefix = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Nobody's: what a guess is checked against where there is no password, so that it takes as long. */
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$zKVcUCCRlcnJ05zbSQ8V3mLdcT1i+/B0nJ1w3WWbrHs$5Tfcm+dXuQn/Qh1wvL3NDEH25+km7BNwAPWXfl3IHxM';

const minLength = 8;
const maxLength = 256;

/** Django lets them be longer, and those of an import are as they are. */
const maxInputLength = 4096;

const maxConcurrent = 2;
const maxQueued = 50;

export interface PasswordCheck {
  readonly isCorrect: boolean;
  /** It was hashed as is not done any more: hash it anew. */
  readonly needsRehash: boolean;
}

export class Passwords {
  /** How many were hashed or checked. */
  hashCount = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.#runLimited(() => Bun.password.hash(password, argon2idOptions));
  }

  /** Without a hash it is wrong, and takes as long to be told so. */
  check(password: string, hash: string | null): Promise<PasswordCheck> {
    return this.#runLimited(async () => {
      const isCorrect = hash?.startsWith('pbkdf2_sha256$')
        ? await matchesDjangoHash(password, hash)
        : (await Bun.password.verify(password, hash ?? decoyHash)) && hash !== null;
      return { isCorrect, needsRehash: isCorrect && !hash?.startsWith(currentPrefix) };
    });
  }

  async #runLimited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= maxConcurrent) {
      if (this.#waiting.length >= maxQueued) throw new Unavailable();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    this.hashCount++;
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
async function matchesDjangoHash(password: string, hash: string): Promise<boolean> {
  const [, iterations = '', salt = '', encoded = ''] = hash.split('$');
  const expected = Buffer.from(encoded, 'base64');
  const derived = await derive(password, salt, Number(iterations), expected.length, 'sha256');
  return timingSafeEqual(derived, expected);
}

const passwordSchema = { type: 'string', format: 'password', writeOnly: true };

/** A password as it is given to sign in: any that could be somebody's. */
export function currentPasswordField(label: string): Field<string> {
  const field = textField({ label, required: true, maxLength: maxInputLength });
  return { ...field, autocomplete: 'current-password', schema: { ...field.schema, ...passwordSchema } };
}

/** A password that is to be somebody's from now on. */
export function newPasswordField(label: string): Field<string> {
  const field = textField({ label, required: true, maxLength });
  return {
    ...field,
    autocomplete: 'new-password',
    help: `${minLength} to ${maxLength} characters; not the username, and none of the commonest passwords.`,
    schema: { ...field.schema, ...passwordSchema, minLength },
    read(value) {
      const password = field.read(value);
      if ([...password].length < minLength)
        throw new InvalidValue(
          `This password is too short. It must contain at least ${minLength} characters.`,
        );
      if (commonPasswords.has(password.toLowerCase())) throw new InvalidValue('This password is too common.');
      return password;
    },
  };
}

/** What else is wrong with it, as this person's. */
export function findPasswordProblem(username: string, password: string): string | undefined {
  return usernameKey(username) === usernameKey(password)
    ? 'The password must not be the username.'
    : undefined;
}
