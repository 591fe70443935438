// How much memory the objects of a PDF take. The library keeps all of them, and decompresses the streams that hold objects,
// however large they become: a small file could take all memory.

import { inflateSync } from 'node:zlib';

/** Of all streams with objects together. */
export const maxObjectBytes = 50_000_000;
/** Names, numbers and the like. Each takes a hundred bytes. */
const maxValues = 2_000_000;

const [space, comment, text, opener] = [1, 2, 3, 4];
/** Of the characters that do not belong to words. What ends a word and opens nothing counts as space. */
const kinds = new Uint8Array(256);
for (const character of '\0\t\n\f\r >]})/') kinds[character.charCodeAt(0)] = space;
for (const character of '<[{') kinds[character.charCodeAt(0)] = opener;
kinds['%'.charCodeAt(0)] = comment;
kinds['('.charCodeAt(0)] = text;
const [lineFeed, carriageReturn, backslash, opening, closing] = [10, 13, 92, 40, 41];

/** Whether the file has too many values, or streams with objects that are too large or compressed more than once. */
export function isTooLarge(bytes: Buffer): boolean {
  return countValues(bytes) + countPackedValues(bytes) > maxValues;
}

/** Outside of streams, as the library reads them. */
function countValues(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length && count <= maxValues; ) {
    const kind = kinds[bytes[at] ?? 0];
    if (kind === 0 || kind === opener) count++;
    if (kind === space || kind === opener) at++;
    else if (kind === comment) at = findLineEnd(bytes, at);
    else if (kind === text) {
      count++;
      at = limitToObject(bytes, at, findTextEnd(bytes, at));
    } else {
      const end = findWordEnd(bytes, at);
      const isStream = end - at === 6 && bytes.toString('latin1', at, end) === 'stream';
      at = isStream ? limitToObject(bytes, at, bytes.indexOf('endstream', end)) : end;
    }
  }
  return count;
}

/** An object that cannot be read ends with `endobj` for the library, whatever began in it. */
function limitToObject(bytes: Buffer, start: number, end: number): number {
  const last = end < 0 ? bytes.length : end;
  const object = bytes.subarray(start, last).indexOf('endobj');
  return object < 0 ? last : start + object;
}

function findWordEnd(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length && kinds[bytes[end] ?? 0] === 0) end++;
  return end;
}

function findLineEnd(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] !== lineFeed && bytes[end] !== carriageReturn) end++;
  return end;
}

/** Brackets in a text have a backslash in front, or come in pairs. */
function findTextEnd(bytes: Buffer, at: number): number {
  let depth = 0;
  for (let end = at; end < bytes.length; end++) {
    if (bytes[end] === backslash) end++;
    else if (bytes[end] === opening) depth++;
    else if (bytes[end] === closing && --depth === 0) return end + 1;
  }
  return bytes.length;
}

/** In streams that hold objects; infinite if they must not be decompressed. */
function countPackedValues(bytes: Buffer): number {
  let [remaining, values] = [maxObjectBytes, 0];
  for (let [at, last] = [bytes.indexOf('stream'), 0]; at >= 0; at = bytes.indexOf('stream', at + 6)) {
    const before = bytes.toString('latin1', last, at);
    last = at + 6;
    if (before.endsWith('end')) continue;
    const dictionary = before.replace(/#([0-9a-f]{2})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (!/ObjStm|XRef/.test(dictionary)) continue;
    const filters = [...dictionary.matchAll(/\/(?:Filter|F)\s*(\[[^\]]*\]|\/\w+|\d+ \d+ R)/g)];
    if (filters.some(([, filter = '']) => !/^\[?\s*\/FlateDecode\s*\]?$/.test(filter)))
      return Number.POSITIVE_INFINITY;
    const start = bytes[last] === carriageReturn ? last + 2 : last + 1;
    const content = inflate(bytes.subarray(start), remaining);
    if (!content) return Number.POSITIVE_INFINITY;
    remaining -= content.length;
    if (/ObjStm/.test(dictionary)) values += countWords(content);
  }
  return values;
}

/** The objects have places in the stream, which may be within a text. */
function countWords(content: Buffer): number {
  let count = 0;
  let isWord = false;
  for (const byte of content) {
    const kind = kinds[byte];
    if (kind === opener || kind === text || (kind === 0 && !isWord)) count++;
    isWord = kind === 0;
  }
  return count;
}

/** Undefined if it becomes too large; what cannot be decompressed holds nothing. */
function inflate(data: Buffer, maxLength: number): Buffer | undefined {
  try {
    return inflateSync(data, { maxOutputLength: maxLength });
  } catch (error) {
    return error instanceof RangeError ? undefined : Buffer.alloc(0);
  }
}
