// The parts of the address of a project: the slug, and the uuid.

import anyAscii from 'any-ascii';
import { type Project, projectLimits } from './project.ts';

/** Imported slugs may contain underscores too. */
export const slugPattern = /^[a-z0-9_-]+$/;

/** The title for a page's path: ASCII, lower case, words separated by hyphens. */
export function toSlug(title: string): string {
  const words =
    anyAscii(title)
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, projectLimits.slug).replace(/-+$/, '') || 'untitled';
}

const maxLength = 60;

/** Without the first group, which is kept: an underscore in a name or inside a word is part of it. */
const markdownSigns = /(@[\p{L}\p{N}_.+-]+|[\p{L}\p{N}]_+(?=[\p{L}\p{N}]))|[#>*_`]/gu;

/** The title of a comment that was sent without one: the beginning of its text. */
export function titleFromText(text: string): string {
  const [line = ''] = text.replace(markdownSigns, '$1').trim().split('\n');
  const characters = [...line.replace(/\p{Cc}/gu, ' ').trim()];
  if (characters.length === 0) return 'Comment';
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength).join('').trim()}…`
    : characters.join('');
}

/** Whether the title says something else than the first words of the text. */
export function hasOwnTitle({ content_type, title, text }: Pick<Project, 'content_type' | 'title' | 'text'>) {
  if (content_type !== 'comment') return true;
  // Earlier versions removed every underscore from a title that they took from the text.
  return title !== titleFromText(text) && title !== titleFromText(text.replaceAll('_', ''));
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 22;

/** For imported ones too, which may have another length. */
export const uuidRules = {
  minLength: 4,
  maxLength: 40,
  pattern: [/^[A-Za-z0-9]+$/, 'letters and digits'],
} as const;

/** Letters and digits for a page's path, with 131 random bits. */
export function newUuid(): string {
  let uuid = '';
  while (uuid.length < length) {
    // 248 is the largest multiple of 62 in a byte: higher bytes would make some characters more likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < 248 && uuid.length < length) uuid += alphabet[byte % alphabet.length];
    }
  }
  return uuid;
}

/** Always the same for a text. Without the secret, nobody can tell it from a new one. */
export function deriveUuid(secret: string, text: string): string {
  const digest = new Bun.CryptoHasher('sha256', secret).update(text).digest('hex');
  let number = BigInt(`0x${digest}`);
  let uuid = '';
  while (uuid.length < length) {
    uuid += alphabet[Number(number % BigInt(alphabet.length))];
    number /= BigInt(alphabet.length);
  }
  return uuid;
}
