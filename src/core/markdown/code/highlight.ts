// Colours code: comments, strings, numbers, keywords, the names of functions and keys. Every character is read at most
// twice, whatever the code is: docs/decisions/0031-code-and-models.md says why no package does this.

import { escapeXml } from '../../escape-xml.ts';
import { type CodeLanguage, findLanguage } from './code-languages.ts';

type Kind = 'comment' | 'string' | 'number' | 'keyword' | 'function' | 'key';

interface Token {
  readonly end: number;
  readonly kind: Kind | undefined;
}

const word = /[@#]?[\p{L}_$][\p{L}\p{N}_$]*/uy;
/** In markup and style sheets, names have hyphens. */
const hyphenatedWord = /[@#]?[\p{L}_$-][\p{L}\p{N}_$-]*/uy;
const number = /0x[\da-f_]+|\d[\d_]*(\.[\d_]+)?(e[+-]?\d+)?[a-z%]*/iy;
const spaces = /[^\S\n]*/y;

/** Every part that is coloured has an element: a text of digits and commas would be ten times as long. */
const maxElements = (code: string) => 200 + code.length / 5;

/** HTML; undefined if the language is not known. */
export function highlight(code: string, languageName: string): string | undefined {
  const language = findLanguage(languageName);
  if (!language) return undefined;
  const parts: string[] = [];
  let remaining = maxElements(code);
  let plainStart = 0;
  let isInTag = false;
  for (let position = 0; position < code.length; ) {
    const { end, kind } = readToken(code, position, language, isInTag);
    if (language.isMarkup && code[position] === '<') isInTag = kind === 'keyword';
    if (code[position] === '>') isInTag = false;
    if (kind && remaining-- > 0) {
      parts.push(escapeXml(code.slice(plainStart, position)));
      parts.push(`<span class="code-${kind}">${escapeXml(code.slice(position, end))}</span>`);
      plainStart = end;
    }
    position = end;
  }
  parts.push(escapeXml(code.slice(plainStart)));
  return parts.join('');
}

function readToken(code: string, start: number, language: CodeLanguage, isInTag: boolean): Token {
  const comment = findCommentEnd(code, start, language);
  if (comment !== undefined) return { end: comment, kind: 'comment' };
  if (language.isMarkup) return readMarkup(code, start, language, isInTag);
  const string = findStringEnd(code, start, language);
  if (string !== undefined) return { end: string, kind: isKey(code, string, language) ? 'key' : 'string' };
  const numberEnd = match(number, code, start);
  if (numberEnd !== undefined) return { end: numberEnd, kind: 'number' };
  const wordEnd = match(language.hasKeys ? hyphenatedWord : word, code, start);
  if (wordEnd === undefined) return { end: start + 1, kind: undefined };
  return { end: wordEnd, kind: classifyWord(code, start, wordEnd, language) };
}

function classifyWord(code: string, start: number, end: number, language: CodeLanguage): Kind | undefined {
  const text = code.slice(start, end);
  if (language.keywords.has(language.ignoresCase ? text.toLowerCase() : text)) return 'keyword';
  if (text.startsWith('@')) return 'function';
  if (isKey(code, end, language)) return 'key';
  return code[end] === '(' ? 'function' : undefined;
}

/** `<name`, and in a tag the names and the values of its attributes. */
function readMarkup(code: string, start: number, language: CodeLanguage, isInTag: boolean): Token {
  if (code[start] === '<') {
    const name = match(hyphenatedWord, code, code[start + 1] === '/' ? start + 2 : start + 1);
    return name === undefined ? { end: start + 1, kind: undefined } : { end: name, kind: 'keyword' };
  }
  const string = isInTag ? findStringEnd(code, start, language) : undefined;
  if (string !== undefined) return { end: string, kind: 'string' };
  const name = isInTag ? match(hyphenatedWord, code, start) : undefined;
  return name === undefined ? { end: start + 1, kind: undefined } : { end: name, kind: 'key' };
}

function isKey(code: string, end: number, { hasKeys }: CodeLanguage): boolean {
  if (!hasKeys) return false;
  const next = code[match(spaces, code, end) ?? end];
  return next === ':' || next === '=';
}

function findCommentEnd(
  code: string,
  start: number,
  { blockComments = [], lineComments = [] }: CodeLanguage,
): number | undefined {
  for (const [opening, closing] of blockComments)
    if (code.startsWith(opening, start)) return endOf(code, closing, start + opening.length);
  // In shells, `$#` and `a#b` are no comments.
  for (const opening of lineComments)
    if (code.startsWith(opening, start) && (opening !== '#' || !/[$\w{]/.test(code[start - 1] ?? '')))
      return endOf(code, '\n', start, 0);
  return undefined;
}

function findStringEnd(
  code: string,
  start: number,
  { longStrings = [], strings = [] }: CodeLanguage,
): number | undefined {
  for (const quote of longStrings)
    if (code.startsWith(quote, start)) return skipString(code, start + quote.length, quote, true);
  for (const quote of strings)
    if (code.startsWith(quote, start)) return skipString(code, start + quote.length, quote, false);
  return undefined;
}

/** A string without an end goes to the end of the line or of the code. */
function skipString(code: string, start: number, quote: string, isLong: boolean): number {
  for (let position = start; position < code.length; position++) {
    if (code[position] === '\\') position++;
    else if (code.startsWith(quote, position)) return position + quote.length;
    else if (code[position] === '\n' && !isLong) return position;
  }
  return code.length;
}

function endOf(code: string, closing: string, start: number, length = closing.length): number {
  const index = code.indexOf(closing, start);
  return index < 0 ? code.length : index + length;
}

function match(pattern: RegExp, code: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(code) ? pattern.lastIndex : undefined;
}
