// Projects of an old site, with whatever characters, as lines of a dump.

import fc from 'fast-check';
import { project } from './site.ts';

/** A project whose title, tags and text break the rules for writing. */
export const odd = {
  title: '\ufeff The\u0007 lamp\n\t ',
  tags: [
    'Lamp',
    'LAMP',
    ' lamp ',
    'x'.repeat(200),
    ...Array.from({ length: 21 }, (_, index) => `tag ${index}`),
  ],
  text: 'Long. '.repeat(20_000),
};
const edges = fc.constantFrom('\ufeff', ' ', '\u0007', '\t\n', '\u2028', '\u200f', 'İ', '👩‍🚀', '"\\', '');
const wildText = (maxLength: number) =>
  fc
    .tuple(edges, fc.string({ unit: 'binary', maxLength }), edges)
    .map((parts) => parts.join('').replaceAll('\0', ''));
const wildTag = wildText(60)
  .map((tag) => tag.replaceAll(',', ''))
  .filter((tag) => tag.trim() !== '');
const wildProject = fc.record({
  title: wildText(300),
  text: wildText(500),
  tags: fc.array(wildTag, { maxLength: 30 }).map((tags) => [...tags, ...tags.slice(0, 2)]),
});

/** Always the same ones, with ids from 1. */
export const wildProjects = (count: number): string[] =>
  fc.sample(wildProject, { numRuns: count, seed: 37 }).map((members, index) => project(index + 1, members));
