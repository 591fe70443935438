// The tables of docs/pages.md.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { features } from '../../src/features/index.ts';
import { loadPages } from '../../src/server/page-routes.ts';

/** In the first cells: `/new/<type>/` is `/new/x/`, and `…/keys/` the end of a path. */
const documented = readFileSync(join(import.meta.dir, '../../docs/pages.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| (`[/…].*?) +\|/.exec(line)?.[1] ?? [])
  .flatMap((cell) => [...cell.matchAll(/`([/…][^`?]*)/g)].map(([, path = '']) => path))
  .map((path) => path.replace(/\/?$/, '/').replaceAll(/<\w+>/g, 'x'));

const isPathOf = (pattern: string) => {
  const parts = pattern.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
  const whole = new RegExp(`^${parts.join('/')}$`);
  const sample = pattern.replaceAll(/:\w+/g, 'x');
  return (path: string) => (path.startsWith('…') ? sample.endsWith(path.slice(1)) : whole.test(path));
};

test('docs/pages.md has a row for every page, and for no other', async () => {
  const { routes } = await loadPages(features);
  const shown = Object.entries(routes).filter(([path, { show }]) => show && !/assets|accents/.test(path));
  const byPage = [...Map.groupBy(shown, ([, { show }]) => show).values()];
  const paths = byPage.map((routes) => routes.map(([path]) => path));
  // A path below a number is a step of the page above.
  const isDocumented = (path: string) =>
    documented.some(isPathOf(path)) || documented.some(isPathOf(path.replace(/:(id|sequence)\/.*$/, '')));
  expect(paths.filter((paths) => !paths.some(isDocumented))).toEqual([]);

  expect(documented.filter((path) => !Object.keys(routes).some((route) => isPathOf(route)(path)))).toEqual(
    [],
  );
  expect(documented.length).toBeGreaterThan(80);
});
