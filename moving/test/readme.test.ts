import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adoptSettings, shadowSettings } from '../src/settings.ts';

test('the README has every option of the program', () => {
  const readme = readFileSync(join(import.meta.dir, '../README.md'), 'utf8');
  const rows = readme.matchAll(/^\| `--([a-z-]+)` +\| `([A-Z_]+)` +\| (?:`([^`]*)`)? *\| (.*?) +\|$/gm);

  expect(
    [...rows].map(([, flag, variable, fallback = '', help]) => ({ flag, variable, fallback, help })),
  ).toEqual(
    Object.values({ ...adoptSettings, ...shadowSettings }).map(({ flag, variable, fallback, help }) => ({
      flag,
      variable,
      fallback,
      help,
    })),
  );
});
