// Which features there are, and a gallery without some of them.

import { expect, test } from 'bun:test';
import { join, relative } from 'node:path';
import { features } from '../../src/features/index.ts';
import { person } from '../support/person.ts';
import { at, firstClass, schoolDump } from '../support/school.ts';
import { vitrine } from '../support/server.ts';
import { ada, contributor, dump, exportAll, pathOf, project, siteOn } from '../support/site.ts';

const root = join(import.meta.dir, '../..');

test('the command lists all features, with a sentence each', async () => {
  const { code, out } = await vitrine('features');
  expect(code).toBe(0);
  expect(out).toMatch(/^bookmarks +People keep a list of projects that nobody else sees\.$/m);
  const listed = JSON.parse((await vitrine('features', '--json')).out);
  expect(listed).toContainEqual(
    expect.objectContaining({ name: 'hand-ins', uses: ['own-data', 'collections', 'classes'] }),
  );
});

test('without a feature, its pages, links and resources are gone, and its data stays', async () => {
  const gallery = dump(ada, project(1, { title: 'Kite', contributor: 1 }));
  const whole = await siteOn('SQLite', { dump: gallery });
  const bob = await person(whole, 'ada');
  expect((await bob.put('/api/v1/me/bookmarks/1/', {})).status).toBe(204);
  const exported = await exportAll(whole);

  const site = await siteOn('SQLite', { dump: exported, environment: { VITRINE_WITHOUT: 'bookmarks' } });
  const reader = await person(site, 'ada');
  for (const path of ['/api/v1/me/bookmarks/', '/bookmarks/'])
    expect((await reader.browser.get(path)).status).toBe(404);
  for (const path of ['/', pathOf(1)]) expect((await reader.open(path)).text).not.toContain('Bookmark');
  expect(
    Object.keys((await reader.json<{ paths: object }>('/api/v1/schema/?format=json')).paths),
  ).not.toContain('/api/v1/me/bookmarks/');
  expect(await exportAll(site)).toContain('{"type":"bookmark","contributor":1,"project":1,');
});

test('without the wall, follows, notifications and featured projects, no page leads to them', async () => {
  const gallery = dump(
    ada,
    contributor(2, 'mo'),
    project(1, { title: 'Kite', contributor: 1, tags: ['wind'] }),
  );
  const pages = ['/?tags=wind', '/contributors/1-ada/', pathOf(1)];
  const findLinks = async (without: string) => {
    const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_WITHOUT: without } });
    const mo = await person(site, 'mo', { role: 'moderator' });
    const statuses = [];
    for (const path of ['/wall/', '/following/', '/account/notifications/', '/api/v1/me/following/tags/'])
      statuses.push((await mo.browser.get(path)).status);
    statuses.push((await mo.put('/api/v1/projects/1/featured/', {})).status);
    const links = new Set<string>();
    for (const path of pages) {
      const page = await mo.open(path);
      for (const link of [...page.attributesOf('a', 'href'), ...page.attributesOf('form', 'action')])
        links.add(/wall|following|feature|notifications/.exec(link)?.[0] ?? '');
    }
    return [statuses, [...links].filter(Boolean).sort()];
  };

  expect(await findLinks('')).toEqual([
    [200, 200, 200, 200, 204],
    ['feature', 'following', 'notifications', 'wall'],
  ]);
  // As at any address of the API that does not exist, what is not GET is not allowed.
  expect(await findLinks('wall,follows,notifications,featured')).toEqual([[404, 404, 404, 404, 405], []]);
});

test('without statistics, previews, feeds and the public dump, no page leads to them', async () => {
  const gallery = dump(ada, project(1, { title: 'Kite', contributor: 1 }));
  const find = async (without: string) => {
    const site = await siteOn('SQLite', {
      dump: gallery,
      environment: { VITRINE_PUBLIC_DUMP: '1d', VITRINE_WITHOUT: without },
    });
    const mo = await person(site, 'ada', { role: 'moderator' });
    const statuses = [];
    for (const path of ['/admin/statistics/', '/feed.atom', '/sitemap.xml', '/robots.txt'])
      statuses.push((await mo.browser.get(path)).status);
    const page = await mo.open('/');
    const alternates = page.attributesOf('link[rel=alternate]', 'type');
    const { headers } = await site.request('/api/v1/');
    const linked = ['api-catalog', 'public-dump'].filter((name) => headers.get('Link')?.includes(name));
    return [statuses, alternates, linked, page.hasLink('/admin/statistics/'), page.html.includes('og:image')];
  };

  const all = ['application/json', 'application/atom+xml', 'application/feed+json', 'application/gzip'];
  expect(await find('')).toEqual([[200, 200, 200, 200], all, ['api-catalog', 'public-dump'], true, true]);
  const without = 'statistics,previews,embedding,feeds,public-dump,static-site';
  expect(await find(without)).toEqual([[404, 404, 404, 404], ['application/json'], [], false, false]);
});

test('without hand-ins, a class goes on, and what was handed in is kept', async () => {
  const site = await siteOn('SQLite', { dump: schoolDump, environment: { VITRINE_WITHOUT: 'hand-ins' } });
  const tess = await person(site, 'tess');
  const kim = await person(site, 'kim');
  const made = await kim.post(at, { title: 'A kite', visibility: 'class' });
  const { id } = (await made.json()) as { id: number };
  const form = new FormData();
  form.set('file', new File(['A plan.'], 'plan.txt', { type: 'text/plain' }));
  await kim.post(`${at}${id}/media/`, form);
  expect((await tess.patch(`${at}${firstClass}/`, { due: '2020-01-01T00:00:00Z' })).status).toBe(200);
  expect((await kim.delete(`${at}${id}/media/1/`)).status).toBe(204);
  expect((await tess.get(`${at}${firstClass}/hand-ins/`)).status).toBe(404);
  expect(await exportAll(site)).toContain('"type":"hand_in_file"');
  const { html_url } = await tess.json<{ html_url: string }>(`${at}${firstClass}/`);
  expect(
    (await tess.open(`${new URL(html_url).pathname}class/`)).attributesOf('nav a', 'href'),
  ).not.toContain(`${new URL(html_url).pathname}hand-ins/`);
});

test('with --only api, people read, write and moderate by the API, and every page is a 404 of the API', async () => {
  const gallery = dump(ada, contributor(2, 'mo'), project(1, { title: 'Kite', contributor: 1 }));
  const site = await siteOn('SQLite', { dump: gallery, environment: { VITRINE_ONLY: 'api' } });
  const owner = await person(site, 'ada');
  const mo = await person(site, 'mo', { role: 'moderator' });

  for (const path of ['/', pathOf(1), '/sign-in/', '/contributors/1-ada/', '/moderation/', '/favicon.ico/']) {
    const response = await owner.browser.get(path);
    expect([path, response.status, await response.json()]).toEqual([path, 404, { detail: 'Not found.' }]);
  }
  expect((await owner.browser.send('/sign-out/')).status).toBe(405);
  expect((await owner.get('/api/v1/me/bookmarks/')).status).toBe(404);

  const made = await owner.post('/api/v1/projects/', { title: 'A boat' });
  expect(made.status).toBe(201);
  const { id, uuid } = (await made.json()) as { id: number; uuid: string };
  const form = new FormData();
  form.set('file', new File(['A plan.'], 'plan.txt', { type: 'text/plain' }));
  expect((await owner.post(`${at}${id}/media/`, form)).status).toBe(201);
  const [file] = await owner.json<{ url: string }[]>(`${at}${id}/media/`);
  expect(await (await owner.get(new URL(`${file?.url}`).pathname)).text()).toBe('A plan.');
  expect(await owner.json(`/content/${uuid}/a-boat/?format=json`)).toMatchObject({ id, title: 'A boat' });
  expect((await owner.patch('/api/v1/me/', { first_name: 'A.' })).status).toBe(200);
  expect((await owner.get('/api/v1/me/dump/')).status).toBe(200);
  expect((await mo.post(`${at}1/report/`, { reason: 'spam' })).status).toBe(201);
  expect((await mo.delete(`${at}1/`)).status).toBe(204);
  expect((await owner.get('/readyz')).status).toBe(200);

  const page = await owner.open('/api/v1/');
  expect(page.attributesOf('a', 'href')).not.toContain('/');
  for (const path of page.attributesOf('link[rel=stylesheet]', 'href'))
    expect((await owner.get(path)).status).toBe(200);
});

test('with --only api, no module with a page is loaded', () => {
  const script = `
    await import('./src/features/index.ts');
    await import('./src/server/commands/server.ts');
    await (await import('./src/server/load-features.ts')).loadFeatures({ only: 'api' });
    console.log(JSON.stringify(Object.keys(require.cache)));`;
  const { stdout } = Bun.spawnSync([process.execPath, '-e', script], { cwd: root });
  const loaded = JSON.parse(stdout.toString()).map((path: string) => relative(root, path));

  expect(loaded).toContain('src/features/moderation/api.ts');
  expect(loaded.filter((path: string) => /^src\/(projects|features)\/.*\.tsx$/.test(path))).toEqual([]);
});

test('--only takes the API, and goes together with --without', async () => {
  expect(await vitrine('serve', '--only', 'pages')).toMatchObject({
    code: 2,
    error: 'vitrine: --only must be api; it was "pages".\n',
  });
  expect(await vitrine('serve', '--only', 'api', '--without', 'moderation')).toMatchObject({
    code: 2,
    error:
      'vitrine: --without moderation: a gallery needs it, because somebody must be able to remove what harms people.\n',
  });
});

test('a name that is no feature, or one that a gallery is not safe without, is refused in one sentence', async () => {
  const names = features.flatMap(({ name, neededBecause }) => (neededBecause ? [] : name)).join(', ');
  for (const name of ['reviews', 'bookmark'])
    expect(await vitrine('serve', '--without', name)).toMatchObject({
      code: 2,
      error: `vitrine: --without ${name}: there is no such feature, or a gallery is not safe without it. These can be left out: ${names}.\n`,
    });
  expect(await vitrine('serve', '--without', 'own-data')).toMatchObject({
    code: 2,
    error: 'vitrine: --without own-data: a gallery needs it, because people take along what is theirs.\n',
  });
});
