// The page about permissions in the documentation.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPermissionRows } from '../support/permission-rows.ts';

test('docs/api/permissions.md has the permissions of the program', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/api/permissions.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| To') && !line.startsWith('| -'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));

  // `npm run update:permissions` renews them.
  expect(rows).toEqual(listPermissionRows());
});
