// The page about permissions in the documentation.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import '../../src/features/index.ts';
import { describeAllowed, listPermissions, type Permission } from '../../src/core/viewer/permissions.ts';

test('docs/api/permissions.md has the permissions of the program', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/api/permissions.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| To') && !line.startsWith('| -'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, action, allowed, key]) => ({ action, allowed, key }));

  const permissions = listPermissions();
  const names = Object.keys(permissions) as Permission[];
  expect(rows).toEqual(
    names.map((name) => ({
      action: permissions[name].description,
      allowed: describeAllowed(name),
      key: permissions[name].allowsReadOnlyKeys ? 'reads' : 'writes',
    })),
  );
});
