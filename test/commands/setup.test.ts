// The first hour of an operator: what a new gallery begins with, and how it gets its first admin.

import { expect, test } from 'bun:test';
import { beginGallery } from '../../src/core/accounts/sign-up-rules.ts';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { type Server, serve, vitrine, vitrineWithInput, writtenTo } from '../support/server.ts';
import { ada, dump, siteAt, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const password = 'a quiet reading room';

const signUp = (address: string) =>
  fetch(`${address}/api/v1/auth/sign-up/`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'grace', password, first_name: 'Grace', last_name: 'Hopper' }),
  });

const post = (address: string, form: Record<string, string>) =>
  fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

/** The link in the log, which comes after the line that says that it serves. */
const setupLink = ({ lines }: Pick<Server, 'lines'>): Promise<string> =>
  waitFor(() => /http:[^ "]+\/setup\/\?code=[\w.-]+/.exec(lines.join('\n'))?.[0]);

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
  test('a new gallery shows new people by their usernames, and an admin that the command adds ends the link', async () => {
    const database = ['--database', await emptyDatabase(kind)];
    const server = await serve(...database, '--files', temporaryPath('files'), '--sign-up', 'open');
    const { address } = server;
    const link = await setupLink(server);
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
    expect((await fetch(link)).status).toBe(200);
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
    expect((await fetch(link)).status).toBe(404);
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
    // As a server does when it starts.
    const begun = await siteAt(options[1] as string);
    await beginGallery(begun.database);
    await begun.close();
    expect((await vitrine('site', 'show', ...options)).out).toBe('NAME   VALUE\nnames  username\n');
    expect((await vitrine('restore', backups, ...options)).code).toBe(0);
    expect((await vitrine('site', 'show', ...options)).out).toBe('NAME  VALUE\n');
  });
});

onBothDatabases((kind) => {
  test('the log has a link that makes the first admin, until there is one', async () => {
    const options = ['--database', await emptyDatabase(kind), '--files', temporaryPath('files')];
    const first = await serve(...options);
    const link = await setupLink(first);
    expect((await fetch(link)).status).toBe(200);
    const form = { code: new URL(link).searchParams.get('code') ?? '', username: 'grace', password };
    const made = await post(`${first.address}/setup/`, form);
    expect([made.status, made.headers.get('Location')]).toEqual([303, '/setup/site/']);
    expect((await fetch(link)).status).toBe(404);
    expect((await post(`${first.address}/setup/`, { ...form, username: 'eve' })).status).toBe(404);
    expect(first.lines.filter((line) => line.includes(form.code))).toHaveLength(1);
    await first.stop('SIGKILL');

    const again = await serve(...options);
    await fetch(`${again.address}/`);
    await waitFor(() => again.lines.some((line) => line.includes('"path":"/"')));
    expect(again.lines.filter((line) => line.includes('/setup/'))).toEqual([]);
  });

  test('setup makes the admin and sets what suits the site, without questions', async () => {
    const address = await emptyDatabase(kind);
    const database = ['--database', address];
    const made = await vitrineWithInput(
      `${password}\n`,
      ...['setup', 'grace', '--kind', 'class', '--site-name', 'Room 4', ...database],
    );
    expect(made).toEqual({
      code: 0,
      out: '',
      error: `grace is the admin now. The site has: sign_up invitation, names username, review first, ratings heart, look playground.
vitrine site set changes each of them, as does the page /admin/site/.
${writtenTo(address)}`,
    });
    expect((await vitrine('site', 'show', ...database)).out).toBe(
      `NAME     VALUE
name     Room 4
look     playground
ratings  heart
review   first
sign_up  invitation
names    username
`,
    );
    const mistakes: [words: string[], sentence: string][] = [
      [
        ['mo', '--kind', 'class'],
        'The gallery has an admin already: see vitrine user add, and vitrine site set.',
      ],
      [['mo', '--kind', 'zoo'], '--kind must be one of class, makerspace, showcase, company; it was "zoo".'],
      [['mo'], '--kind must be one of class, makerspace, showcase, company; it was "".'],
      [['--kind', 'class'], 'setup needs the username of the first admin.'],
    ];
    for (const [words, sentence] of mistakes)
      expect(await vitrine('setup', ...words, ...database)).toMatchObject({
        code: 2,
        error: `vitrine: ${sentence}\n`,
      });
  });

  test('a mistake in setup leaves nothing behind', async () => {
    const database = ['--database', await emptyDatabase(kind)];
    const setUp = (input: string, ...words: string[]) =>
      vitrineWithInput(input, 'setup', ...words, '--kind', 'class', ...database);
    expect((await setUp('short\n', 'grace')).error).toContain('Password: This password is too short.');
    expect((await setUp(`${password}\n`, 'a b')).error).toContain('USERNAME: Enter a valid username.');
    const longName = await setUp(`${password}\n`, 'grace', '--site-name', 'x'.repeat(61));
    expect([longName.code, longName.error]).toEqual([2, expect.stringContaining('name: Ensure this')]);
    expect((await vitrine('user', 'list', ...database)).out.split('\n')).toHaveLength(2);
    expect((await setUp(`${password}\n`, 'grace')).code).toBe(0);
  });
});

test('with workers, the link is in the log once', async () => {
  const files = ['--database', temporaryPath('workers.sqlite'), '--files', temporaryPath('files')];
  const server = await serve('--workers', '2', ...files);
  const countLinks = () => server.lines.filter((line) => line.includes('/setup/?code=')).length;
  const link = await setupLink(server);
  server.process.kill('SIGHUP');
  await waitFor(() => server.lines.some((line) => line.includes('All workers have been replaced')));
  expect(countLinks()).toBe(1);
  const made = await Promise.all(
    ['ann', 'ben'].map((username) =>
      post(`${server.address}/setup/`, {
        code: new URL(link).searchParams.get('code') ?? '',
        username,
        password,
      }),
    ),
  );
  // The other one came while the first was made, or later.
  const [first, second] = made.map(({ status }) => status).sort();
  expect(first).toBe(303);
  expect([400, 404]).toContain(second as number);
});

test('people who sign up in the demo are shown by their usernames, and its own people by their names', async () => {
  const { address } = await serve('--demo', '--sign-up', 'open', '--database', temporaryPath('demo.sqlite'));
  await signUp(address);
  expect(await nameOf(address, 'grace')).toBe('grace');
  const response = await fetch(`${address}/api/v1/projects/60/?fields=contributor_name`);
  expect(await response.json()).toEqual({ contributor_name: 'Sione Fīnau' });
});
