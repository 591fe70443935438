// npm run test:load: code that goes on and on is coloured quickly.

import { expect, test } from 'bun:test';
import { highlight } from '../../src/core/markdown/code/highlight.ts';
import { codeLanguages, codePieces } from '../support/code.ts';
import { costsOf } from '../support/loop-delay.ts';

const length = 100_000;
/** A second, on the machine whose limits are documented. */
const maxCost = 20;

test('a hundred thousand characters of any code are coloured in less than a second of processor time', () => {
  for (const language of codeLanguages) {
    const lengths: number[] = [];
    const works = codePieces.map((piece) => () => {
      const html = highlight(piece.repeat(Math.ceil(length / piece.length)), language) ?? '';
      lengths.push(html.length);
    });
    const costs = costsOf(works);
    expect([language, codePieces.filter((_, index) => (costs[index] ?? 0) >= maxCost)]).toEqual([
      language,
      [],
    ]);
    expect([language, codePieces.filter((_, index) => (lengths[index] ?? 0) >= 12 * length)]).toEqual([
      language,
      [],
    ]);
  }
});
