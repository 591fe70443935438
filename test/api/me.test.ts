// One’s own account: its details, the export of its data, and its deletion.

import { expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'A lamp', tags: ['light'] }),
  project(2, { title: 'Only mine', visibility: 'private' }),
  project(3, { title: 'Not yet', status: 0 }),
  project(4, { title: 'A lamp of another', contributor: 2, copied_from: 1 }),
);

/** The titles and contributors in the list of projects, for an anonymous viewer. */
async function titles(site: Site, query = ''): Promise<string[]> {
  const list = await visitor(site).json<{ results: { title: string; contributor_name: string }[] }>(
    `/api/v1/projects/?fields=title,contributor_name${query}`,
  );
  return list.results.map(({ title, contributor_name }) => `${title} by ${contributor_name}`).sort();
}

onBothDatabases((kind) => {
  test('a changed name is shown, sorted by and found immediately', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await visitor(site).get('/api/v1/projects/1/');

    const response = await ada.patch('/api/v1/me/', { last_name: 'King' });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ id: 1, name: 'Ada King', role: 'contributor', may_write: true }),
    ]);

    const project = await visitor(site).json('/api/v1/projects/1/?fields=contributor_name');
    expect(project).toEqual({ contributor_name: 'Ada King' });
    expect(await titles(site, '&search=king')).toEqual(['A lamp by Ada King']);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a person has one export at a time, and only a few persons at once have one', async () => {
    const usernames = ['bob', 'cy', 'dan', 'eve', 'fay'];
    const people = usernames.map((username, index) => contributor(10 + index, username));
    const site = await siteOn(kind, { dump: dump(adasLine, ...people) });
    const [ada, ...others] = await Promise.all(['ada', ...usernames].map((name) => person(site, name)));
    const begin = async (someone = ada) => {
      if (!someone) throw new Error('there is nobody');
      return someone.get('/api/v1/me/dump/');
    };

    const first = await begin();
    const second = await begin();
    expect([second.status, second.headers.get('Retry-After')]).toEqual([429, '10']);
    const responses = await Promise.all(others.map((other) => begin(other)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 503, 503]);
    const refused = responses.find(({ status }) => status === 503);
    expect(refused?.headers.get('Retry-After')).toBe('1');

    expect(Object.keys(unzipSync(await first.bytes()))).toEqual(['index.html', 'data.ndjson']);
    const third = await begin();
    expect(third.status).toBe(200);
    await third.body?.cancel();
    expect((await begin()).status).toBe(200);
  });

  test('a browser in which an account is deleted is signed out and keeps nothing', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine) });
    const headers = { ...(await site.signIn('ada')), 'Content-Type': 'application/json' };
    const response = await site.request('/api/v1/me/', {
      method: 'DELETE',
      headers,
      body: '{"items":"keep"}',
    });
    expect([
      response.status,
      response.headers.getSetCookie(),
      response.headers.get('Clear-Site-Data'),
    ]).toEqual([
      204,
      [
        'vitrine_session=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly',
        'csrftoken=; Path=/; Max-Age=0; SameSite=Lax',
      ],
      '"cache", "storage"',
    ]);
  });

  test('an account that is deleted without its projects leaves them under a placeholder name', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await ada.key();

    const response = await ada.delete('/api/v1/me/', { items: 'keep' });
    expect(response.status).toBe(204);
    expect((await ada.get('/api/v1/me/')).status).toBe(401);
    expect(await titles(site)).toEqual(['A lamp by deleted-1', 'A lamp of another by bob']);
    expect(await titles(site, '&search=lovelace')).toEqual([]);

    const moderator = await person(site, 'bob', { role: 'moderator' });
    expect((await moderator.get('/api/v1/projects/2/')).status).toBe(404);
    expect((await moderator.get('/api/v1/projects/3/')).status).toBe(404);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('an account that is deleted with its projects takes them and its ratings along', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const bob = await person(site, 'bob');
    await ada.put('/api/v1/projects/4/rating/', { value: 5 });

    const response = await ada.delete('/api/v1/me/', { items: 'delete' });
    expect(response.status).toBe(204);
    expect(await titles(site)).toEqual(['A lamp of another by bob']);
    const copy = await visitor(site).json('/api/v1/projects/4/?fields=copied_from,rating_count,rating_sum');
    expect(copy).toEqual({ copied_from: 1, rating_count: 0, rating_sum: 0 });

    const next = await bob.post('/api/v1/projects/?fields=id', { title: 'New' });
    expect([next.status, await next.json()]).toEqual([201, { id: 5 }]);

    const lineage = await visitor(site).json('/api/v1/projects/4/lineage/');
    const source = { id: 1, copied_from: null, hidden: true, title: null };
    expect(lineage).toEqual({
      id: 4,
      copies: [],
      truncated: false,
      ancestors: [{ ...source, url: null, html_url: null, contributor_name: null }],
    });
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('an upload of an account that is deleted or disabled meanwhile creates nothing', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const bob = await person(site, 'bob', { role: 'moderator' });

    const first = await beginUpload(site, await ada.key());
    await bob.put('/api/v1/contributors/1/account/', { state: 'disabled', reason: 'x' });
    expect((await first.finish()).status).toBe(401);
    expect(await titles(site, '&search=late')).toEqual([]);

    await bob.put('/api/v1/contributors/1/account/', { state: 'open', reason: 'x' });
    const second = await beginUpload(site, await ada.key());
    await ada.delete('/api/v1/me/', { items: 'delete' });
    expect((await second.finish()).status).toBe(401);
    expect(await titles(site, '&search=late')).toEqual([]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('an account is not deleted unless it says what happens to its projects', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    const response = await ada.delete('/api/v1/me/', {});
    expect([response.status, await response.json()]).toEqual([400, { items: ['This field is required.'] }]);
    expect((await ada.get('/api/v1/me/')).status).toBe(200);
  });
});

/** A new project whose file is sent only when it is finished; the server reads the body already. */
async function beginUpload(site: Site, key: Readonly<Record<string, string>>) {
  const begun = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  const form = new FormData();
  form.append('title', 'Too late');
  form.append('file', new File(['It took its time.'], 'slow.txt'));
  const encoded = new Response(form);
  const headers = { ...key, 'Content-Type': encoded.headers.get('Content-Type') ?? '' };
  const bytes = await encoded.bytes();
  const body = new ReadableStream({
    async pull(controller) {
      begun.resolve();
      await rest.promise;
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const response = site.request('/api/v1/projects/', { method: 'POST', headers, body });
  await begun.promise;
  const finish = () => {
    rest.resolve();
    return response;
  };
  return { finish };
}
