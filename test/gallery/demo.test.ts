// Taking the demo away leaves what people have made.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { vitrine, writtenTo } from '../support/server.ts';
import { contributor, dump, siteOn } from '../support/site.ts';

const folder = join(import.meta.dir, '../../src/features/demo');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const demo = read('gallery.ndjson') + read('files.ndjson') + dump(contributor(100, 'grace'));

onBothDatabases((kind) => {
  test('an admin removes the demo with one click, and what people have made stays', async () => {
    const site = await siteOn(kind, { dump: demo });
    const grace = await person(site, 'grace', { role: 'admin' });
    const klaus = await person(site, 'klaus_werkt');
    const made = await grace.post('/api/v1/projects/', { title: 'My own kite' });
    expect(made.status).toBe(201);
    expect((await klaus.patch('/api/v1/projects/59/', { text: 'Open on Sundays.' })).status).toBe(200);
    const copied = await grace.post('/api/v1/projects/2/copy/');
    const { id: copy } = (await copied.json()) as { id: number };
    await grace.patch(`/api/v1/projects/${copy}/`, { visibility: 'public' });
    expect((await grace.post('/api/v1/projects/3/comments/', { title: 'Nice', text: 'Nice.' })).status).toBe(
      201,
    );
    const files = await grace.json<{ results: unknown[] }>(`/api/v1/projects/${copy}/media/`);
    expect(JSON.stringify(files)).toContain('.webp');

    const clicked = await grace.submit('/admin/site/', 'Remove the demo');
    expect([clicked.status, clicked.headers.get('Location')]).toEqual([303, '/admin/site/?saved']);
    const list = await visitor(site).json<{ results: { id: number; contributor_name: string }[] }>(
      '/api/v1/projects/?ordering=id',
    );
    // The third has a comment of somebody else: it stays with its other comment.
    expect(list.results.map(({ id, contributor_name }) => [id, contributor_name])).toEqual([
      [3, 'Meera Iyengar'],
      [5, 'Túndé Bámgbóṣé'],
      [59, 'Klaus Grünwald'],
      [61, 'grace'],
      [copy, 'grace'],
      [copy + 1, 'grace'],
    ]);
    expect(await grace.json(`/api/v1/projects/${copy}/media/`)).toEqual(files);
    expect((await visitor(site).get('/api/v1/projects/2/')).status).toBe(404);
    expect((await klaus.get('/api/v1/me/')).status).toBe(200);
    const people = await visitor(site).json<{ results: { username: string }[] }>('/api/v1/contributors/');
    expect(people.results.map(({ username }) => username).sort()).toEqual([
      'grace',
      'klaus_werkt',
      'meera.i',
      'tunde.b',
    ]);
    expect(await checkGallery(site.database, false)).toEqual([]);
    expect((await grace.open('/admin/site/')).text).not.toContain('Remove the demo');
  });

  test('the command removes all of an unused demo, and says so when there is none', async () => {
    const site = await siteOn(kind, { dump: demo });
    const remove = () => vitrine('demo', 'remove', '--database', site.address);
    expect(await remove()).toEqual({
      code: 0,
      out: '',
      error: `60 projects of the demo removed.\n${writtenTo(site.address)}`,
    });
    expect(await visitor(site).json('/api/v1/projects/?page_size=1')).toMatchObject({ count: 0 });
    expect(await checkGallery(site.database, false)).toEqual([]);
    expect(await remove()).toMatchObject({
      code: 2,
      error: 'vitrine: The gallery has nothing of the demo.\n',
    });
  });

  test('only admins remove the demo', async () => {
    const site = await siteOn(kind, { dump: demo });
    const grace = await person(site, 'grace', { role: 'moderator' });
    expect((await grace.send('/admin/site/demo/')).status).toBe(403);
    expect((await visitor(site).send('/admin/site/demo/')).status).toBe(303);
    expect(await visitor(site).json('/api/v1/projects/?page_size=1')).toMatchObject({
      next: expect.anything(),
    });
  });
});
