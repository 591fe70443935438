// Validates, hashes and checks passwords. Hashing is slow by design, so it runs off the event loop and with limited
// concurrency.

import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type ApiText, apiText, type Text } from '#common/api-text.ts';
import { InvalidValue } from '#common/inputs.ts';
import { RequestQueue, type Turn } from '#common/request-queue.ts';
import { type Field, textField } from '#rest/fields.ts';
import { type ContributorNames, usernameKey } from '../contributors/contributor.ts';
import list from './common-passwords.txt' with { type: 'text' };
import words from './common-words.txt' with { type: 'text' };

/** The minimum that OWASP recommends: 19 MiB and two passes. */
const argon2idOptions = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const currentPrefix = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Checked when an account has no password, so that the response takes as long. */
const decoyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$zKVcUCCRlcnJ05zbSQ8V3mLdcT1i+/B0nJ1w3WWbrHs$5Tfcm+dXuQn/Qh1wvL3NDEH25+km7BNwAPWXfl3IHxM';

/** Hashes in the current format and in Django's. A sign-in may cost 128 MiB and about a second. */
export const passwordHashPattern =
  /^(\$argon2id\$v=19\$m=(\d{1,5}|1[0-2]\d{4}|130\d{3}),t=[1-9],p=([1-9]|1[0-6])\$[\w+/]{11,86}\$[\w+/]{22,86}|pbkdf2_sha256\$1?\d{1,6}\$[^$\s]{1,100}\$[\w+/]{43}=)$/;

const minLength = 8;
const maxLength = 256;

/** Django allows longer passwords, and imported ones are not changed. */
const maxInputLength = 4096;

const queueLimits = { maxRunning: 2, maxWaiting: 50 };
const provenTurn: Turn = { isKnown: true, name: '', address: '' };

export interface PasswordCheck {
  readonly isCorrect: boolean;
  /** The stored hash uses an outdated algorithm. */
  readonly needsRehash: boolean;
}

export class Passwords {
  /** How many passwords were hashed or checked. */
  hashCount = 0;
  readonly #queue = new RequestQueue(queueLimits);

  hash(password: string, turn?: Turn): Promise<string> {
    return this.inTurn(turn, () => {
      this.hashCount++;
      return Bun.password.hash(password, argon2idOptions);
    });
  }

  check(password: string, hash: string | null): Promise<PasswordCheck> {
    return this.inTurn(undefined, () => this.checkNow(password, hash));
  }

  /** Only within `inTurn`. Without a hash the password is wrong, but the check takes as long. */
  async checkNow(password: string, hash: string | null): Promise<PasswordCheck> {
    this.hashCount++;
    const isCorrect = hash?.startsWith('pbkdf2_sha256$')
      ? await matchesDjangoHash(password, hash)
      : (await verifyArgon2(password, hash ?? decoyHash)) && hash !== null;
    return { isCorrect, needsRehash: isCorrect && !hash?.startsWith(currentPrefix) };
  }

  /** Runs work that checks a password when there is room; without a turn, it is for somebody who has proved who they are. */
  inTurn<Result>(turn: Turn | undefined, work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(work, { turn: turn ?? provenTurn });
  }
}

/** A hash from an import may have parameters that contradict each other: no password fits it. */
const verifyArgon2 = (password: string, hash: string): Promise<boolean> =>
  Bun.password.verify(password, hash).catch(() => false);

const derive = promisify(pbkdf2);

/** `pbkdf2_sha256$iterations$salt$base64`. */
async function matchesDjangoHash(password: string, hash: string): Promise<boolean> {
  const [, iterations = '', salt = '', encoded = ''] = hash.split('$');
  const expected = Buffer.from(encoded, 'base64');
  const derived = await derive(password, salt, Number(iterations), expected.length, 'sha256');
  return timingSafeEqual(derived, expected);
}

const passwordSchema = { type: 'string', format: 'password', writeOnly: true };

/** A password for signing in: any that an account could have. */
export function currentPasswordField(label: Text): Field<string, true> {
  const field = textField({ label, required: true, maxLength: maxInputLength });
  return { ...field, autocomplete: 'current-password', schema: { ...field.schema, ...passwordSchema } };
}

/** For accounts that may have none. */
export const optionalPasswordField = (): Field<string> => ({
  ...currentPasswordField(apiText('password')),
  required: false,
  help: apiText('passwordOptional'),
});

export function newPasswordField(label: Text): Field<string, true> {
  const field = textField({ label, required: true, maxLength });
  return {
    ...field,
    autocomplete: 'new-password',
    help: apiText('passwordHelp', { min: minLength, max: maxLength }),
    schema: { ...field.schema, ...passwordSchema, minLength },
    read(value) {
      const password = field.read(value);
      if ([...password].length < minLength)
        throw new InvalidValue(apiText('passwordShort', { min: minLength }));
      if (isCommonPassword(password)) throw new InvalidValue(apiText('passwordCommon'));
      return password;
    },
  };
}

const siteName = 'vitrine';
/** So many letters and digits must be left of a password without a name in it. */
const minRemainder = 6;

/** A problem with the password that depends on the names: it must be more than one of them and a number. */
export function findPasswordProblem(names: ContributorNames, password: string): ApiText | undefined {
  const { username, first_name, last_name } = names;
  const problems: [problem: ApiText, parts: string[]][] = [
    [apiText('passwordUsername'), [username]],
    [apiText('passwordName'), [first_name, last_name]],
    [apiText('passwordSite'), [siteName]],
  ];
  const text = simplify(password);
  const isSimilar = (parts: string[]) => {
    const usedParts = parts.map(simplify).filter((part) => part.length > 2 && text.includes(part));
    const remainder = usedParts.reduce((rest, part) => rest.replaceAll(part, ''), text);
    return usedParts.length > 0 && remainder.length < minRemainder;
  };
  return problems.find(([, parts]) => isSimilar(parts))?.[0];
}

const signs = '013457$@!';
const usualLetters = 'oieastsai';

/** Lower-case letters without accents, and digits; a digit or a sign within letters counts as the letter it stands for. */
function simplify(text: string): string {
  return usernameKey(text)
    .normalize('NFD')
    .replace(/[013457$@!]/g, (sign) => usualLetters.charAt(signs.indexOf(sign)))
    .replace(/[^\p{L}\p{N}]/gu, '');
}

// Recognizes the passwords that attackers try first. The list is searched as text, which takes a tenth of a millisecond: a
// set of strings would take ten times its memory.

/** The keys of a keyboard and of the alphabet in their order, in both directions. */
const rows = [
  '01234567890-=',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'qwertzuiop',
  'asdfghjkl;',
  'zxcvbnm,.',
];
const sequences = rows.flatMap((row) => [row, [...row].reverse().join('')]);

function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  return (
    // A few characters again and again, such as `aaaaaaaa` or `12341234`.
    /^(.{1,5}?)\1+$/su.test(text) ||
    sequences.some((sequence) => sequence.includes(text)) ||
    list.includes(`\n${text}\n`) ||
    isCommonWord(removeAccents(text.replace(/[\d\s!?.,@#$%&*+=_-]+$/, '')))
  );
}

/** Without the number or the signs behind it. */
const isCommonWord = (text: string) =>
  text.length > 3 && (sequences.some((sequence) => sequence.includes(text)) || words.includes(`\n${text}\n`));

const removeAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
