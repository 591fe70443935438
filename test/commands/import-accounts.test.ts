// An import changes the people of a gallery that is in use only where it may.

import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { person } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { ada, contentOf, contributor, dump, project, siteOn } from '../support/site.ts';

const bob = contributor(2, 'bob');
const zoe = contributor(3, 'zoe');

const account = (id: number, members: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: 'account',
    contributor: id,
    role: 'contributor',
    password: null,
    disabled: null,
    ...members,
  });

const key = (id: number, owner: number, members: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: 'key',
    id,
    contributor: owner,
    name: 'test',
    hash: String(id).padStart(64, '0'),
    access: 'write',
    created: '2024-01-01T00:00:00.000000+00:00',
    expires: null,
    used: null,
    ...members,
  });

const passkey = (id: number, owner: number) =>
  JSON.stringify({
    type: 'passkey',
    id,
    contributor: owner,
    name: 'test',
    host: 'gallery.example',
    credential: `credential-${id}`,
    public_key: 'AAAA',
    counter: 0,
    transports: 'internal',
    created: '2024-01-01T00:00:00.000000+00:00',
    used: null,
  });

const secondFactor = (owner: number, code: number) =>
  JSON.stringify({
    type: 'second_factor',
    contributor: owner,
    created: '2024-01-01T00:00:00.000000+00:00',
    recovery_codes: [String(code).padStart(64, '0')],
  });

const gallery = dump(
  ada,
  bob,
  zoe,
  account(1, { role: 'admin' }),
  account(2),
  key(1, 1),
  passkey(1, 1),
  secondFactor(1, 1),
  project(1),
);

function writeDump(text: string): string {
  const path = temporaryPath('dump.ndjson');
  writeFileSync(path, text);
  return path;
}

const exportContent = async (database: string) =>
  contentOf((await vitrine('export', '-', '--database', database)).out);

onBothDatabases((kind) => {
  test('a person’s own data is not imported, even with lines that were added', async () => {
    const site = await siteOn(kind, { dump: dump(ada, bob, account(1), project(1)) });
    const own = await (await (await person(site, 'ada')).get('/api/v1/me/dump/?format=ndjson')).text();
    await site.close();
    const database = await emptyGallery(kind);
    const target = dump(contributor(1, 'grace'), account(1, { role: 'admin' }));
    await vitrine('import', '--database', database, writeDump(target));

    for (const text of [own, own + dump(account(1, { role: 'admin' }))]) {
      const path = writeDump(text);
      const refused = await vitrine('import', '--database', database, path);
      expect(refused).toEqual({
        code: 2,
        out: '',
        error: `vitrine: ${path}:1: is the data of one person, not the dump of a gallery. Nothing of this file was imported.\n`,
      });
    }
    expect(await exportContent(database)).toBe(target);
  });

  const changes: [change: string, line: string, reason: string][] = [
    [
      'makes somebody an admin',
      account(2, { role: 'admin' }),
      'contributor: 2 has another account, or none.',
    ],
    [
      'replaces a password',
      account(1, { role: 'admin', password: `pbkdf2_sha256$1$salt$${'A'.repeat(43)}=` }),
      'contributor: 1 has another account, or none.',
    ],
    [
      'disables an account',
      account(1, { role: 'admin', disabled: '2024-01-01T00:00:00.000000+00:00' }),
      'contributor: 1 has another account, or none.',
    ],
    ['brings a new account', account(3), 'contributor: 3 has another account, or none.'],
    ['brings a new key', key(2, 1), 'id: 2 is another key, or none.'],
    ['brings a new passkey', passkey(2, 1), 'id: 2 is another passkey, or none.'],
    ['brings back a recovery code', secondFactor(1, 2), 'contributor: 1 has another second factor, or none.'],
    ['gives a passkey to somebody else', passkey(1, 2), 'id: 1 is another passkey, or none.'],
    ['gives a key to somebody else', key(1, 2), 'id: 1 is another key, or none.'],
    ['renames somebody with an account', contributor(1, 'mallory'), 'username: 1 has the account of ada.'],
  ];
  test.each(changes)(
    'in a gallery that has accounts, a line that %s needs --replace-accounts',
    async (_, line, reason) => {
      const database = await emptyGallery(kind);
      await vitrine('import', '--database', database, writeDump(gallery));

      const path = writeDump(dump(project(2), line));
      const refused = await vitrine('import', '--database', database, path);
      expect(refused).toEqual({
        code: 2,
        out: '',
        error: `vitrine: ${path}:2: ${reason} Give --replace-accounts if this dump may replace accounts, keys and rights of the gallery. Nothing of this file was imported.\n`,
      });
      expect(await exportContent(database)).toBe(gallery);

      const allowed = await vitrine('import', '--replace-accounts', '--database', database, path);
      expect(allowed.code).toBe(0);
      expect((await exportContent(database)).split('\n')).toContain(line);
    },
  );

  test('the gallery’s own export is imported again, and names of contributors without an account change', async () => {
    const database = await emptyGallery(kind);
    await vitrine('import', '--database', database, writeDump(gallery));

    const again = await vitrine('import', '--database', database, writeDump(gallery));
    expect(again.code).toBe(0);
    expect(await exportContent(database)).toBe(gallery);

    const [newZoe, newAda] = [contributor(3, 'zora'), contributor(1, 'ada', { last_name: 'King' })];
    const { code } = await vitrine('import', '--database', database, writeDump(dump(newZoe, newAda)));
    expect(code).toBe(0);
    expect((await exportContent(database)).split('\n').slice(0, 3)).toEqual([newAda, bob, newZoe]);
  });
});
