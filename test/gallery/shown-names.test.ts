// A contributor who is shown by the username only: the full name is for them, moderators and dumps.

import { expect, test } from 'bun:test';
import { addAccount } from '../../src/core/accounts/change-account.ts';
import { exportDump } from '../../src/features/export-import/export.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import {
  ada as adasLine,
  contentOf,
  contributor,
  dump,
  pathOf,
  project,
  type Site,
  siteOn,
} from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob', { first_name: 'Bob', last_name: 'Byron' }),
  contributor(3, 'mo'),
  project(1, { title: 'A lamp' }),
  project(2, { title: 'A kite', contributor: 2, copied_from: 1 }),
  project(3, { title: 'Nice', content_type: 'comment', parent: 2 }),
);

const publicPaths = [
  '/',
  pathOf(1),
  pathOf(2),
  `${pathOf(1)}?format=json`,
  `${pathOf(1)}lineage/`,
  `${pathOf(1)}embed/`,
  `/oembed?url=${encodeURIComponent(`http://gallery.example${pathOf(1)}`)}`,
  '/contributors/1-ada/',
  '/contributors/1-ada/feed.atom',
  '/contributors/1-ada/feed.json',
  '/feed.atom',
  '/feed.json',
  '/api/v1/projects/?include=contributor,parent&status=1',
  '/api/v1/projects/1/',
  '/api/v1/projects/1/?format=api',
  '/api/v1/projects/2/lineage/',
  '/api/v1/projects/2/comments/',
  '/api/v1/contributors/',
  '/api/v1/contributors/1/',
  '/api/v1/changes/',
];

/** Those of the paths whose responses contain the name. */
async function pathsWith(name: string, viewer: ReturnType<typeof visitor>): Promise<string[]> {
  const found: string[] = [];
  for (const path of publicPaths) {
    const response = await viewer.get(path);
    if ((await response.text()).includes(name)) found.push(path);
  }
  return found;
}

const order = async (site: Site, query: string) => {
  const list = await visitor(site).json<{ results: { id: number }[] }>(query);
  return list.results.map(({ id }) => id);
};

async function readDump(site: Site): Promise<string> {
  let text = '';
  await exportDump(site.database, site.files, async (lines) => {
    text += lines;
  });
  return text;
}

onBothDatabases((kind) => {
  test('a hidden name is nowhere for others', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const bob = await person(site, 'bob');
    expect((await pathsWith('Lovelace', visitor(site))).length).toBeGreaterThan(14);
    expect(await order(site, '/api/v1/projects/?ordering=contributor__last_name')).toEqual([2, 1, 3]);

    const response = await ada.patch('/api/v1/me/', { shown_name: 'username' });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({
        name: 'ada',
        first_name: 'Ada',
        last_name: 'Lovelace',
        shown_name: 'username',
      }),
    ]);
    expect(await pathsWith('Lovelace', visitor(site))).toEqual([]);
    expect(await pathsWith('Lovelace', bob)).toEqual([]);
    expect(await order(site, '/api/v1/projects/?search=lovelace')).toEqual([]);
    expect((await order(site, '/api/v1/projects/?search=ada')).sort()).toEqual([1, 3]);
    expect(await order(site, '/api/v1/projects/?ordering=contributor__last_name')).toEqual([1, 3, 2]);
    expect(await order(site, '/api/v1/contributors/?ordering=last_name')).toEqual([1, 2]);
    expect(await visitor(site).json('/api/v1/contributors/1/')).toMatchObject({
      name: 'ada',
      first_name: '',
      last_name: '',
    });
    expect(await checkGallery(site.database, false)).toEqual([]);

    const rename = await ada.patch('/api/v1/me/', { last_name: 'King' });
    expect(await rename.json()).toMatchObject({ name: 'ada', first_name: 'Ada', last_name: 'King' });
    expect(await pathsWith('King', visitor(site))).toEqual([]);

    await ada.patch('/api/v1/me/', { shown_name: 'full' });
    expect(await visitor(site).json('/api/v1/projects/1/?fields=contributor_name')).toEqual({
      contributor_name: 'Ada King',
    });
    expect((await order(site, '/api/v1/projects/?search=king')).sort()).toEqual([1, 3]);
  });

  test('contributors and moderators see a hidden name', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const moderator = await person(site, 'mo', { role: 'moderator' });
    await ada.submit('/account/', 'Save', { 'Others see': 'username' });

    expect(await (await ada.browser.get('/account/')).text()).toContain('value="Lovelace"');
    for (const path of ['/api/v1/contributors/', '/api/v1/contributors/1/', '/contributors/1-ada/'])
      expect([path, (await (await moderator.get(path)).text()).includes('Lovelace')]).toEqual([path, true]);
    const people = await moderator.browser.get('/moderation/people/?username=ada');
    expect(await people.text()).toContain('Ada Lovelace');
  });

  test('a dump holds hidden names, and an import shows none that was hidden', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.patch('/api/v1/me/', { shown_name: 'username' });
    const exported = await readDump(site);
    const line = exported.split('\n').find((candidate) => candidate.includes('"Lovelace"'));
    expect(JSON.parse(line ?? '')).toMatchObject({ first_name: 'Ada', shown_name: 'username' });
    expect((await (await ada.get('/api/v1/me/dump/?format=ndjson')).text()).split('\n')[1]).toBe(line ?? '');

    const copy = await siteOn(kind, { dump: exported });
    expect(await readDump(copy)).toBe(exported);
    expect(await pathsWith('Lovelace', visitor(copy))).toEqual([]);

    const again = await siteOn(kind, { dump: contentOf(exported) + adasLine });
    expect(await pathsWith('Lovelace', visitor(again))).toEqual([]);
    const shown = await siteOn(kind, {
      dump: `${contentOf(exported)}${contributor(1, 'ada', { last_name: 'Lovelace', shown_name: 'full' })}\n`,
    });
    expect(await visitor(shown).json('/api/v1/projects/1/?fields=contributor_name')).toEqual({
      contributor_name: 'Lovelace',
    });
    expect(await checkGallery(shown.database, false)).toEqual([]);
  });

  test('the operator chooses what others see of new people', async () => {
    const environment = { VITRINE_NAMES: 'username', VITRINE_SIGN_UP: 'open' };
    const site = await siteOn(kind, { dump: gallery, environment });
    const names = { first_name: 'Cy', last_name: 'Secret' };
    const response = await visitor(site).post('/api/v1/auth/sign-up/', {
      username: 'cy',
      password: 'correct horse battery',
      ...names,
    });
    expect(response.status).toBe(201);
    const cy = await person(site, 'cy');
    expect(await cy.json('/api/v1/me/')).toMatchObject({ name: 'cy', ...names, shown_name: 'username' });
    expect(await visitor(site).json('/api/v1/contributors/1/')).toMatchObject({ name: 'Ada Lovelace' });

    await addAccount(site.database, { username: 'dan', ...names }, 'username', 'contributor', null);
    const password = await cy.browser.send('/account/password/', {
      old_password: 'correct horse battery',
      new_password: 'Cy-Secret-1',
    });
    expect(await password.text()).toContain('too similar to the name');
    const dan = await person(site, 'dan');
    expect(await dan.json('/api/v1/me/')).toMatchObject({ name: 'dan', shown_name: 'username' });
  });

  test('only two ways to be shown are accepted', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const response = await (await person(site, 'ada')).patch('/api/v1/me/', { shown_name: 'nobody' });
    expect([response.status, await response.json()]).toEqual([
      400,
      { shown_name: ['"nobody" is not a valid choice.'] },
    ]);
  });

  test('nothing of a hidden name is left of an account that was deleted', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.patch('/api/v1/me/', { shown_name: 'username' });
    await ada.delete('/api/v1/me/', { items: 'keep' });
    expect(await readDump(site)).not.toContain('Lovelace');
  });
});
