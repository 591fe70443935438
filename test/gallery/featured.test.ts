// Moderators feature projects: the home page begins with them.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import {
  ada as adasLine,
  contentOf,
  contributor,
  dump,
  exportAll,
  importInto,
  pathOf,
  project,
  siteOn,
} from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'mo'),
  ...Array.from({ length: 6 }, (_, index) => project(index + 1, { title: `Thing ${index + 1}` })),
  project(7, { title: 'Draft', status: 0 }),
  project(8, { title: 'Private', visibility: 'private' }),
  project(9, { title: 'Comment', content_type: 'comment', parent: 1 }),
);

const featuredPath = (id: number) => `/api/v1/projects/${id}/featured/`;

test('a form that has no page of its own says what is wrong', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const mo = await person(site, 'mo', { role: 'moderator' });
  const response = await mo.browser.send(`${pathOf(7)}feature/`, { featured: 'yes' });
  expect(response.status).toBe(400);
  const page = await readPage(response);
  expect(page.textsOf('.error p')).toEqual([
    '400',
    'Only a published project that everybody finds can be featured.',
  ]);
});

onBothDatabases((kind) => {
  test('the home page begins with the four that were featured last, for everybody at once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
    const shelf = async (path = '/') => (await visitor(site).open(path)).textsOf('.home-shelf h3');

    expect(await shelf()).toEqual([]);
    for (const id of [1, 2, 3, 4, 5]) expect((await mo.put(featuredPath(id), {})).status).toBe(204);
    expect(await shelf()).toEqual(['Thing 5', 'Thing 4', 'Thing 3', 'Thing 2']);
    expect([await shelf('/?page=2'), await shelf('/?search=thing')]).toEqual([[], []]);

    const before = await ada.json<{ modified: string }>('/api/v1/projects/5/');
    expect((await mo.submit(pathOf(5), 'Take off the home page')).status).toBe(303);
    expect(await shelf()).toEqual(['Thing 4', 'Thing 3', 'Thing 2', 'Thing 1']);
    expect((await mo.submit(pathOf(5), 'Feature on the home page')).status).toBe(303);
    expect((await shelf())[0]).toBe('Thing 5');
    expect(await ada.json('/api/v1/projects/5/')).toEqual(before);

    // Hidden ones leave the row without a gap, and come back.
    await ada.patch('/api/v1/projects/4/', { visibility: 'private' });
    expect(await shelf()).toEqual(['Thing 5', 'Thing 3', 'Thing 2', 'Thing 1']);
    await ada.patch('/api/v1/projects/4/', { visibility: 'public' });
    expect(await shelf()).toEqual(['Thing 5', 'Thing 4', 'Thing 3', 'Thing 2']);
  });

  test('moderators feature what everybody finds, and its author gets a notification', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
    const statuses = [];
    for (const who of [visitor(site), ada]) statuses.push((await who.put(featuredPath(1), {})).status);
    for (const id of [7, 8, 9, 99]) statuses.push((await mo.put(featuredPath(id), {})).status);
    expect(statuses).toEqual([401, 403, 400, 400, 400, 404]);
    expect(await (await mo.put(featuredPath(7), {})).json()).toEqual({
      non_field_errors: ['Only a published project that everybody finds can be featured.'],
    });
    expect((await ada.send(`${pathOf(1)}feature/`, { featured: 'yes' })).status).toBe(403);
    expect((await ada.open(pathOf(1))).hasButton('Feature on the home page')).toBe(false);
    expect((await visitor(site).open('/')).textsOf('.home-shelf h3')).toEqual([]);

    await mo.put(featuredPath(1), {});
    await mo.put(featuredPath(1), {});
    const { results } = await ada.json<{ results: { kind: string }[] }>('/api/v1/me/notifications/');
    expect(results.map((notification) => notification.kind)).toEqual(['featured']);
    expect((await ada.open('/account/notifications/')).text).toContain(
      'Thing 1 is featured on the home page',
    );
  });

  test('a dump has what is featured, and a copy of a project is not', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
    await mo.put(featuredPath(1), {});
    await ada.post('/api/v1/projects/1/copy/');
    const text = await exportAll(site);
    const again = await siteOn(kind, {});
    await importInto(again, text);
    expect((await visitor(again).open('/')).textsOf('.home-shelf h3')).toEqual(['Thing 1']);
    expect(contentOf(await exportAll(again))).toBe(contentOf(text));
  });
});
