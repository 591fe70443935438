// The first hour of an operator: what a new gallery begins with, and how it gets its first admin.

import { expect, test } from 'bun:test';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { serve, vitrine, vitrineWithInput } from '../support/server.ts';
import { ada, dump, siteOn } from '../support/site.ts';

const password = 'a quiet reading room';

const signUp = (address: string) =>
  fetch(`${address}/api/v1/auth/sign-up/`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'grace', password, first_name: 'Grace', last_name: 'Hopper' }),
  });

const nameOf = async (address: string, username: string) => {
  const response = await fetch(`${address}/api/v1/auth/token/`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  });
  const { token } = (await response.json()) as { token: string };
  const me = await fetch(`${address}/api/v1/me/`, { headers: { Authorization: `Token ${token}` } });
  return ((await me.json()) as { name: string }).name;
};

onBothDatabases((kind) => {
  test('a new gallery shows new people by their usernames', async () => {
    const database = ['--database', await emptyDatabase(kind)];
    const { address } = await serve(...database, '--files', temporaryPath('files'), '--sign-up', 'open');
    expect((await signUp(address)).status).toBe(201);
    expect(await nameOf(address, 'grace')).toBe('grace');

    const added = await vitrineWithInput(
      `${password}\n`,
      'user',
      'add',
      'mo',
      'moderator',
      'Mo',
      'Li',
      ...database,
    );
    expect(added.code).toBe(0);
    expect(await nameOf(address, 'mo')).toBe('mo');
    await vitrineWithInput(
      `${password}\n`,
      'user',
      'add',
      'al',
      'admin',
      'Al',
      'Bo',
      ...database,
      '--names',
      'full',
    );
    expect(await nameOf(address, 'al')).toBe('Al Bo');
  });

  test('a gallery that exists goes on showing full names, and so does one that comes from a dump', async () => {
    const site = await siteOn(kind, { dump: dump(ada) });
    const { address } = await serve('--database', site.address, '--files', site.folder, '--sign-up', 'open');
    await signUp(address);
    expect(await nameOf(address, 'grace')).toBe('Grace Hopper');

    const imported = ['--database', await emptyDatabase(kind), '--files', temporaryPath('files')];
    const file = temporaryPath('gallery.ndjson');
    await Bun.write(file, dump(ada));
    expect((await vitrine('import', file, ...imported)).code).toBe(0);
    expect((await vitrine('site', 'show', ...imported)).out).toBe('NAME  VALUE\n');
  });

  test('a backup is restored into a gallery that was only begun, and brings its own settings', async () => {
    const site = await siteOn(kind, { dump: dump(ada) });
    const backups = temporaryPath('backups');
    await vitrine('backup', backups, '--database', site.address, '--files', site.folder);
    const options = ['--database', await emptyDatabase(kind), '--files', temporaryPath('files')];
    await (await serve(...options)).stop();
    expect((await vitrine('site', 'show', ...options)).out).toBe('NAME   VALUE\nnames  username\n');
    expect((await vitrine('restore', backups, ...options)).code).toBe(0);
    expect((await vitrine('site', 'show', ...options)).out).toBe('NAME  VALUE\n');
  });
});

test('people who sign up in the demo are shown by their usernames, and its own people by their names', async () => {
  const { address } = await serve('--demo', '--sign-up', 'open', '--database', temporaryPath('demo.sqlite'));
  await signUp(address);
  expect(await nameOf(address, 'grace')).toBe('grace');
  const response = await fetch(`${address}/api/v1/projects/60/?fields=contributor_name`);
  expect(await response.json()).toEqual({ contributor_name: 'Sione Fīnau' });
});
