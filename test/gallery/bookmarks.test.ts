// Bookmarks: their owner's list, and that nobody else learns of them.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import { contributor, dump, exportAll, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(
  contributor(1, 'ada'),
  contributor(2, 'bob'),
  ...[1, 2, 3].map((id) => project(id, { title: `Lamp ${id}` })),
  project(4, { title: 'Secret', visibility: 'private' }),
  project(5, { title: 'For friends', visibility: 'unlisted' }),
);

const path = '/api/v1/me/bookmarks/';

const titles = async (owner: Person, query = '') =>
  (await owner.json<{ results: { title: string }[] }>(`${path}?fields=title${query}`)).results.map(
    ({ title }) => title,
  );

onBothDatabases((kind) => {
  test('a person lists what they have bookmarked, the newest bookmark first, and nobody else does', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    for (const id of [2, 1, 3, 2]) expect((await bob.put(`${path}${id}/`, {})).status).toBe(204);
    expect(await titles(bob)).toEqual(['Lamp 3', 'Lamp 1', 'Lamp 2']);
    expect(await titles(bob, '&page_size=1&page=2')).toEqual(['Lamp 1']);
    expect(await titles(ada)).toEqual([]);
    expect(await (await bob.get(`${path}?fields=id&format=csv`)).text()).toBe('id\r\n3\r\n1\r\n2\r\n');
    for (const id of [1, 1, 4]) expect((await bob.delete(`${path}${id}/`)).status).toBe(204);
    expect(await titles(bob)).toEqual(['Lamp 3', 'Lamp 2']);
  });

  test('the button on a page bookmarks a project, also an unlisted one, and removes the bookmark', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const bob = await person(site, 'bob');
    for (const id of [1, 5]) {
      const response = await bob.submit(pathOf(id), 'Bookmark');
      expect([response.status, response.headers.get('Location')]).toEqual([303, pathOf(id)]);
    }
    const page = await bob.open('/bookmarks/');
    expect(page.textsOf('.card .name')).toEqual(['For friends', 'Lamp 1']);
    expect((await bob.browser.get('/bookmarks/')).headers.get('Cache-Control')).toBe('no-store');
    await bob.submit(pathOf(5), 'Bookmarked : remove');
    expect((await bob.open('/bookmarks/')).textsOf('.card .name')).toEqual(['Lamp 1']);
  });

  test('what may not be opened cannot be bookmarked; what is hidden leaves the list and returns', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    for (const id of ['4', '5', '99', '0', 'x'])
      expect([id, (await bob.put(`${path}${id}/`, {})).status]).toEqual([id, 404]);
    for (const id of [1, 2, 3]) await bob.put(`${path}${id}/`, {});
    await ada.patch('/api/v1/projects/2/', { visibility: 'private' });
    const { count, results } = await bob.json<{ count: number; results: object[] }>(`${path}?page_size=2`);
    expect([count, results.length]).toEqual([2, 2]);
    expect(await titles(bob)).toEqual(['Lamp 3', 'Lamp 1']);
    await ada.patch('/api/v1/projects/2/', { visibility: 'public' });
    expect(await titles(bob)).toEqual(['Lamp 3', 'Lamp 2', 'Lamp 1']);

    expect(await exportAll(site)).toContain('{"type":"bookmark","contributor":2,"project":1,');
    expect(await (await bob.get('/api/v1/me/dump/?format=ndjson')).text()).toContain('"type":"bookmark"');
    expect((await bob.delete('/api/v1/me/', { items: 'keep' })).status).toBe(204);
    expect(await exportAll(site)).not.toContain('"bookmark"');
  });
});
