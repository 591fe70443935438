// The words around what a search has found in a text, without Markdown. The words are compared as the search compares them.

import type { Phrase } from '#sql';
import { stripMarkdown } from '../../core/markdown/markdown.ts';
import { joinWords, type LocatedWord, locateWords } from '../../core/words.ts';

/** A part of the excerpt: words of the search, or what stands between them. */
export interface ExcerptPart {
  readonly text: string;
  readonly found: boolean;
}

const maxLength = 160;
/** Before the first word that was found. */
const maxLead = 50;

/** No more words fit into an excerpt. */
const maxNear = 80;

/** A long text is read in sections, each with the beginning of the next one: a phrase may stand across the border. */
const sectionLength = 2000;
const overlap = 500;
/** So far is looked: a page may have a hundred texts, of 100,000 characters each. */
const maxScanned = 20_000;
/** The words may stand in addresses only, which a reader does not see: so many sections are looked at closely. */
const maxTries = 4;

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly phrase: Phrase;
}

interface Found {
  /** Without Markdown. */
  readonly section: string;
  readonly words: readonly LocatedWord[];
  readonly marks: readonly Mark[];
  /** How many of the phrases the best place has, and where it begins. */
  readonly count: number;
  readonly from: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Around the place that has the most of the phrases; empty if the text has none of them. */
export function findExcerpt(text: string, phrases: readonly Phrase[]): ExcerptPart[] {
  let best: Found | undefined;
  let tries = 0;
  const scanned = Math.min(text.length, maxScanned);
  for (let nominal = 0; nominal < scanned && tries < maxTries; nominal += sectionLength) {
    const start = findBreak(text, nominal);
    const end = findBreak(text, nominal + sectionLength + overlap);
    const source = text.slice(start, end);
    if (countPhrases(source, phrases) <= (best?.count ?? 0)) continue;
    tries++;
    const section = stripMarkdown(source);
    const words = locateWords(section);
    const marks = findMarks(words, phrases);
    const place = findBestPlace(marks);
    if (!place || place.count <= (best?.count ?? 0)) continue;
    best = { section, words, marks, ...place, isFirst: start === 0, isLast: end >= text.length };
    if (best.count === phrases.length) break;
  }
  return best ? toParts(best) : [];
}

/** After the white space before a place; the place itself in a text without spaces, or in a very long word. */
function findBreak(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, at);
  const [before = ''] = /\S*$/.exec(text.slice(Math.max(0, at - 300), at)) ?? [];
  return before.length < 300 ? at - before.length : at;
}

function countPhrases(source: string, phrases: readonly Phrase[]): number {
  const words = ` ${joinWords(source)} `;
  return phrases.filter((phrase) => words.includes(` ${phrase.words.join(' ')}${phrase.isPrefix ? '' : ' '}`))
    .length;
}

function findMarks(words: readonly LocatedWord[], phrases: readonly Phrase[]): Mark[] {
  return words.flatMap(({ start }, index) =>
    phrases.flatMap((phrase) => {
      if (!isAt(words, index, phrase)) return [];
      const length = [...(phrase.words.at(-1) ?? '')].length;
      const { ends = [] } = words[index + phrase.words.length - 1] ?? {};
      return [{ start, end: ends[Math.min(length, ends.length) - 1] ?? start, phrase }];
    }),
  );
}

const isAt = (words: readonly LocatedWord[], index: number, phrase: Phrase): boolean =>
  phrase.words.every((wanted, offset) => {
    const word = words[index + offset]?.word;
    const isUnfinished = phrase.isPrefix && offset === phrase.words.length - 1;
    return isUnfinished ? word?.startsWith(wanted) === true : word === wanted;
  });

function findBestPlace(marks: readonly Mark[]) {
  let best: { from: number; count: number } | undefined;
  for (const [index, { start }] of marks.entries()) {
    const near = new Set<Phrase>();
    for (const { end, phrase } of marks.slice(index, index + maxNear))
      if (end - start <= maxLength - maxLead) near.add(phrase);
    const count = Math.max(1, near.size);
    if (count > (best?.count ?? 0)) best = { from: start, count };
  }
  return best;
}

function toParts({ section, words, marks, from, isFirst, isLast }: Found): ExcerptPart[] {
  const begin = from <= maxLead ? 0 : (words.find(({ start }) => start >= from - maxLead)?.start ?? from);
  const limit = begin + maxLength;
  const last = words.findLast(({ ends }) => (ends[0] ?? 0) <= limit)?.ends[0] ?? 0;
  const end = section.length <= limit ? section.length : last > from ? last : limit;
  const parts: ExcerptPart[] = [];
  const add = (until: number, found: boolean) => {
    if (until > at) parts.push({ text: section.slice(at, until), found });
    at = Math.max(at, until);
  };
  let at = begin;
  for (const mark of marks) {
    if (mark.start < begin || mark.start >= end) continue;
    add(mark.start, false);
    add(Math.min(mark.end, end), true);
  }
  add(end, false);
  if (begin > 0 || !isFirst) parts.unshift({ text: '…', found: false });
  if (end < section.length || !isLast) parts.push({ text: '…', found: false });
  return parts;
}
