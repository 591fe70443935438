// Password hashes from an import: what they cost is limited.

import { expect, test } from 'bun:test';
import { loadLineParser } from '../../src/features/export-import/import.ts';
import { onBothDatabases } from '../support/databases.ts';
import { visitor } from '../support/person.ts';
import { ada, dump, siteOn } from '../support/site.ts';

const salt = 'A'.repeat(22);
const digest = 'A'.repeat(43);
const accountLine = (password: string) =>
  JSON.stringify({ type: 'account', contributor: 1, role: 'contributor', password, disabled: null });

test.each([
  `$argon2id$v=19$m=131072,t=2,p=1$${salt}$${digest}`,
  `$argon2id$v=19$m=19456,t=20,p=1$${salt}$${digest}`,
  `$argon2id$v=19$m=19456,t=2,p=99$${salt}$${digest}`,
  `pbkdf2_sha256$9999999$salt$${digest}=`,
])('a hash that costs too much is refused: %s', async (password) => {
  expect((await loadLineParser())(accountLine(password))).toContain('password:');
});

onBothDatabases((kind) => {
  test('no password fits a hash that cannot be read, and the response is the usual one', async () => {
    const unreadable = `$argon2id$v=19$m=8,t=1,p=16$${salt}$${digest}`;
    const site = await siteOn(kind, { dump: dump(ada, accountLine(unreadable)) });

    const credentials = { username: 'ada', password: 'nanoseconds of wire' };
    const response = await visitor(site).post('/api/v1/auth/token/', credentials);
    expect([response.status, await response.json()]).toEqual([
      400,
      { non_field_errors: ['Unable to log in with provided credentials.'] },
    ]);
    expect(site.logged.filter((line) => line.includes('fault'))).toEqual([]);
  });
});
