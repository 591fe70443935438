// Loaded before the sources of Vitrine (`bun --preload`), it makes them a later release: the first one after today's, or
// with LATER_RELEASES=2 the second one. Their migrations are as CONTRIBUTING.md says: the first release has a new column, the
// second one drops what only today's uses.

import { plugin } from 'bun';
import type { Migration } from '#sql/open';

const count = Number(process.env.LATER_RELEASES ?? 1);

export const laterMigrations = (today: number): readonly Migration[] =>
  [
    {
      from: today,
      to: today + 1,
      name: 'the length of texts',
      steps: ({ integer }: { integer: string }) => [
        {
          kind: 'expand' as const,
          locks: ['project'],
          statements: [`alter table project add column text_length ${integer}`],
        },
        fillLengths,
        { kind: 'index' as const, table: 'project', index: 'project_by_text_length (text_length, id)' },
      ],
    },
    {
      from: today + 1,
      to: today + 2,
      name: 'no index of featured projects',
      steps: () => [
        fillLengths,
        { kind: 'contract' as const, locks: ['project'], statements: ['drop index project_featured'] },
      ],
    },
  ].slice(0, count);

/** Again in the release that follows: until then, servers of this one write rows without it. */
const fillLengths = {
  kind: 'fill' as const,
  table: 'project',
  key: 'id',
  set: 'text_length = length(text)',
  rest: 'text_length is null',
};

function change(text: string, pattern: RegExp, replacement: (found: string) => string): string {
  if (!pattern.test(text)) throw new Error(`The sources have no ${pattern} any more.`);
  return text.replace(pattern, replacement);
}

plugin({
  name: 'later release',
  setup(build) {
    const edit = (filter: RegExp, pattern: RegExp, replacement: (found: string) => string) =>
      build.onLoad({ filter }, async ({ path }) => ({
        contents: change(await Bun.file(path).text(), pattern, replacement),
        loader: 'ts',
      }));
    edit(/\/core\/migrations\/newest\.ts$/, /(?<=newest = )\d+/, (newest) => String(Number(newest) + count));
    edit(
      /\/core\/migrations\/index\.ts$/,
      /(?<=const migrations: [\s\S]*?)\n\];/,
      () =>
        `\n  ...(await import('${import.meta.path}')).laterMigrations((await import('./newest.ts')).newest - ${count}),\n];`,
    );
  },
});
