// Replaces texts in XML. Parts of documents may be large and hostile: only those that have something to replace become strings,
// and no pattern may go through the text more than once. `[^<>]*` in a tag ends where the next tag begins.

import { InvalidFile } from './invalid-file.ts';

export interface Replacement {
  /** Where this text is missing, there is nothing to replace. */
  readonly mark: string;
  readonly replace: (text: string) => string;
}

/** A string of them, the new string and both as bytes fit into memory. */
const maxBytes = 25_000_000;

/** Undefined if nothing is to be replaced. */
export function replaceIn(content: Buffer, replacements: readonly Replacement[]): Buffer | undefined {
  // XML may be UTF-16, too, which programs do not write.
  if (content.length > 1 && [0xfeff, 0xfffe].includes(content.readUInt16BE(0)))
    throw new InvalidFile('unknownPart');
  const wanted = replacements.filter(({ mark }) => content.includes(mark));
  if (wanted.length === 0) return undefined;
  if (content.length > maxBytes) throw new InvalidFile('tooMuch');
  // Bytes as characters, whatever they mean: what is looked for is ASCII.
  const before = content.toString('latin1');
  const after = wanted.reduce((text, { replace }) => replace(text), before);
  return after === before ? undefined : Buffer.from(after, 'latin1');
}

/** The value of an attribute, with or without a prefix. `of` is the name of its element; any if it is missing. */
export function replaceAttribute(name: string, value: string, of?: string): Replacement {
  const attribute = new RegExp(`(\\s(?:\\w+:)?${name}\\s*=\\s*)(?:"[^"<]*"|'[^'<]*')`, 'g');
  const change = (text: string) => text.replace(attribute, `$1"${value}"`);
  if (of === undefined) return { mark: name, replace: change };
  const tags = new RegExp(`<(?:\\w+:)?${of}\\s[^<>]*>`, 'g');
  return { mark: of, replace: (text) => text.replace(tags, change) };
}

export function removeAttribute(name: string): Replacement {
  const attribute = new RegExp(`\\s${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*')`, 'g');
  return { mark: name, replace: (text) => text.replace(attribute, '') };
}

/** The text in all elements of this name. */
export function replaceText(name: string, value: string): Replacement {
  const element = new RegExp(`(<${name}(?:\\s[^<>]*)?>)[^<]*(</${name}\\s*>)`, 'g');
  return { mark: name, replace: (text) => text.replace(element, `$1${value}$2`) };
}

/** From one text to the next other one, with both; `isMeant` looks at all of it. An element may have no content. */
export function removeBlocks(begin: string, end: string, isMeant = (_block: string) => true): Replacement {
  const replace = (text: string) => {
    const parts: string[] = [];
    let at = 0;
    for (let start = text.indexOf(begin); start >= 0; start = text.indexOf(begin, at)) {
      const tag = text.indexOf('>', start);
      const isEmpty = end.startsWith('</') && text[tag - 1] === '/';
      const close = isEmpty ? tag : text.indexOf(end, start);
      if (close < 0) throw new InvalidFile('brokenFile');
      const next = isEmpty ? close + 1 : close + end.length;
      parts.push(text.slice(at, isMeant(text.slice(start, next)) ? start : next));
      at = next;
    }
    return parts.join('') + text.slice(at);
  };
  return { mark: begin, replace };
}

/** The value of an attribute in the text of a tag; empty if it has none. */
export function attributeOf(tag: string, name: string): string {
  const [, double, single = ''] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? [];
  return double ?? single;
}

/** The last part of a path on a computer, as the value of an attribute. */
export const fileNameOf = (path: string): string =>
  (path.split(/[\\/]|%5c|%2f/i).at(-1) ?? '').replaceAll('"', '&quot;');
