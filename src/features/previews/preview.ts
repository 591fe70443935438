// The content of a preview image, and the elements that are drawn: the posters of posters.tsx above a label.

import type { Node } from '@takumi-rs/wasm';
import type { ContentType } from '../../core/content-types.ts';
import { firstLetter } from '../../core/pages/layout/avatar.tsx';
import { colours } from '../../core/pages/layout/colours.ts';

// Which texts the fonts of preview images can draw: Latin, Greek, Cyrillic, Arabic, Hebrew and Devanagari.

/** The characters that the fonts have; docs/decisions/0032-preview-images.md says how to make the list. */
const ranges = `
  20-7e a0-12b 12e-131 134-165 168-17f 18f 192 1a0-1a1 1af-1b0 1cd-1dc 1e6-1e7 1f8-1f9 218-21b 237 251 259
  261 2b0 2b2-2b3 2b7-2b8 2bb-2bc 2be-2bf 2c6-2cc 2da 2dc-2dd 2e1-2e3 300-301 303-304 307-309 323 329
  374-375 37e 384-3ce 3d7 3d9 3db 3dd 3e1 400-45f 462-463 472-475 490-493 496-49b 4a0-4a3 4aa-4ab 4ae-4b3
  4b6-4b7 4ba-4bb 4c0-4c2 4cf-4d1 4d4-4d9 4e2-4e3 4e6-4e9 4ee-4ef 4f2-4f3 591-6ff 750-77f 870-8e1 8e3-97f
  1cd0-1cf6 1cf8-1cf9 1d43 1d47-1d49 1d4d 1d4f-1d50 1d52 1d56-1d58 1d5b 1d9c 1da0 1dbb 1e0c-1e0f 1e20-1e21
  1e24-1e25 1e2a-1e2b 1e36-1e3b 1e3e-1e3f 1e42-1e49 1e5a-1e63 1e6c-1e6f 1e80-1e85 1e8e-1e8f 1e92-1e93 1e97
  1e9e 1ea0-1ef9 2002 2009 200b-2010 2013-2014 2018-201a 201c-201e 2020 2022 2026 2032-2033 2039-203a 2044
  204f 20a1 20a4 20a6-20a7 20a9-20ac 20ae 20b1-20b2 20b4-20b5 20b8-20ba 20bd 20bf 20f0 2113 2116 2122 2191
  2193 2212 2215 25cc 2e41 a830-a839 a8e0-a8ff fb1d-fdff fe70-fefc`;

const drawable = new Set<number>();
for (const range of ranges.trim().split(/\s+/)) {
  const [first = 0, last = first] = range.split('-').map((code) => Number.parseInt(code, 16));
  for (let code = first; code <= last; code++) drawable.add(code);
}

const isDrawable = (character: string) => drawable.has(character.codePointAt(0) ?? 0);

/**
 * The text without signs such as emoji, and without words that have a letter which cannot be drawn. Nothing if those are
 * more than half: the rest would say something else.
 */
function keepDrawable(text: string): string {
  const words = text
    .normalize('NFC')
    .replace(/\ufe0f/g, '')
    .split(/\s+/)
    .filter(Boolean);
  const kept = words.filter((word) =>
    [...word].every((character) => isDrawable(character) || !letter.test(character)),
  );
  if (kept.length * 2 < words.length) return '';
  return kept.map(removeSigns).filter(Boolean).join(' ');
}

const letter = /[\p{L}\p{M}\p{N}]/u;

/** Punctuation behind a sign goes with it. */
function removeSigns(word: string): string {
  const kept = [...word].filter(isDrawable).join('');
  return kept === word || letter.test(kept) ? kept : '';
}

export interface Preview {
  readonly kind: ContentType | 'contributor' | 'site';
  readonly colour: string;
  /** The largest text. */
  readonly words: string;
  readonly person?: { readonly name: string; readonly colour: string };
  readonly site: string;
}

const box = (className: string, children: Node[] = []): Node => ({
  type: 'container',
  tagName: 'div',
  className,
  children,
});
const line = (className: string, text: string): Node => ({ type: 'text', tagName: 'div', className, text });

const marks: Partial<Record<Preview['kind'], string>> = { text: '¶', comment: '…', quote: '“' };

/** Words that cannot be drawn are left out: then the object is drawn alone. */
export function toElements({ kind, colour, words, person, site }: Preview): Node {
  const text = keepDrawable(words);
  const direction = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text) ? ' from-right' : '';
  const surface = box('surface', text ? [line(`words${direction}`, text)] : []);
  const sign = kind === 'contributor' ? firstLetter(text) : marks[kind];
  const mark = sign ? line('mark', sign) : box('mark');
  const size = text.length < 50 ? ' few-words' : '';
  return box(`preview of-${kind} ${colour}${size}`, [
    box('object', kind === 'site' ? [surface, shelf()] : [surface, mark]),
    label(person, site),
  ]);
}

const shelf = () =>
  box(
    'shelf',
    colours.map((colour) => box(`shelf-object ${colour}`)),
  );

function label(person: Preview['person'], site: string): Node {
  const name = keepDrawable(person?.name ?? '');
  const author =
    person && name ? [line(`letter ${person.colour}`, firstLetter(name)), line('name', name)] : [];
  return box('label', [box('person', author), line('site', keepDrawable(site))]);
}
