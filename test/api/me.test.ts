// Whoever is signed in: who they are, what is theirs, and their leaving.

import { expect, test } from 'bun:test';
import { checkGallery } from '../../src/gallery/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const bob = contributor(2, 'bob');
const gallery = dump(
  ada,
  bob,
  project(1, { title: 'A lamp', tags: ['light'] }),
  project(2, { title: 'Only mine', visibility: 'private' }),
  project(3, { title: 'Not yet', status: 0 }),
  project(4, { title: 'A lamp of another', contributor: 2, copied_from: 1 }),
);

const send = (site: Site, method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  site.request(path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

const titles = async (site: Site, path = '/api/v1/projects/?fields=title,contributor_name') =>
  ((await site.json(path)) as { results: Record<string, string>[] }).results
    .map(({ title, contributor_name }) => `${title} by ${contributor_name}`)
    .sort();

onBothDatabases((kind) => {
  test('a changed name is shown, sorted by and found immediately', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    await site.json('/api/v1/projects/1/');
    const answer = await send(site, 'PATCH', '/api/v1/me/', key, { last_name: 'King' });
    const record = (await site.json('/api/v1/projects/1/')) as Record<string, unknown>;
    const found = await titles(site, '/api/v1/projects/?search=king&fields=title,contributor_name');
    const findings = await checkGallery(site.database, false);

    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ id: 1, name: 'Ada King', role: 'contributor', may_write: true }),
    ]);
    expect(record.contributor_name).toBe('Ada King');
    expect(found).toEqual(['A lamp by Ada King']);
    expect(findings).toEqual([]);
  });

  test('the export of one’s own data has all of it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    await send(site, 'PUT', '/api/v1/projects/4/rating/', key, { value: 5 });
    await send(site, 'DELETE', '/api/v1/projects/3/', key);
    const answer = await site.get('/api/v1/me/dump/', key);
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson']);
    expect(lines.map(({ type, id, title, trashed }) => [type, id, title, trashed !== undefined])).toEqual([
      ['contributor', 1, undefined, false],
      ['project', 1, 'A lamp', false],
      ['project', 2, 'Only mine', false],
      ['project', 3, 'Not yet', true],
      ['rating', undefined, undefined, false],
    ]);
  });

  test('a client can accept nothing but the media type of the export, which OpenAPI describes', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    const askFor = async (path: string, Accept: string) => {
      const response = await site.get(path, { ...key, Accept });
      return [response.status, response.headers.get('Content-Type')];
    };
    const { paths } = await (await site.get('/api/v1/schema/')).json();

    expect(await askFor('/api/v1/me/dump/', 'application/x-ndjson')).toEqual([200, 'application/x-ndjson']);
    expect(await askFor('/api/v1/me/dump/', 'text/html')).toEqual([200, 'application/x-ndjson']);
    expect(await askFor('/api/v1/me/dump/', 'image/png')).toEqual([406, 'application/json']);
    expect(await askFor('/api/v1/me/', 'application/x-ndjson')).toEqual([406, 'application/json']);
    expect(Object.keys(paths['/api/v1/me/dump/'].get.responses[200].content)).toEqual([
      'application/x-ndjson',
    ]);
  });

  test('an account that is deleted without its projects leaves them under a placeholder name', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    const answer = await send(site, 'DELETE', '/api/v1/me/', key, { items: 'keep' });
    const listed = await titles(site);
    const moderator = await site.key('bob', { role: 'moderator' });
    const hidden = await Promise.all([2, 3].map((id) => site.get(`/api/v1/projects/${id}/`, moderator)));
    const again = await site.get('/api/v1/me/', key);
    const findings = await checkGallery(site.database, false);
    const exported = await titles(site, '/api/v1/projects/?search=lovelace&fields=title,contributor_name');

    expect(answer.status).toBe(204);
    expect(listed).toEqual(['A lamp by deleted-1', 'A lamp of another by bob']);
    expect(hidden.map(({ status }) => status)).toEqual([404, 404]);
    expect(again.status).toBe(401);
    expect(exported).toEqual([]);
    expect(findings).toEqual([]);
  });

  test('an account that is deleted with its projects takes them and its ratings along', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    await send(site, 'PUT', '/api/v1/projects/4/rating/', key, { value: 5 });
    const answer = await send(site, 'DELETE', '/api/v1/me/', key, { items: 'delete' });
    const listed = await titles(site);
    const copy = (await site.json('/api/v1/projects/4/')) as Record<string, unknown>;
    const made = await send(site, 'POST', '/api/v1/projects/', await site.key('bob'), { title: 'New' });
    const lineage = await site.json('/api/v1/projects/4/lineage/');
    const findings = await checkGallery(site.database, false);

    expect(answer.status).toBe(204);
    expect(listed).toEqual(['A lamp of another by bob']);
    expect([copy.copied_from, copy.rating_count, copy.rating_sum]).toEqual([1, 0, 0]);
    expect(((await made.json()) as { id: number }).id).toBe(5);
    expect(lineage).toEqual({
      id: 4,
      copies: [],
      truncated: false,
      ancestors: [
        {
          id: 1,
          copied_from: null,
          hidden: true,
          title: null,
          url: null,
          html_url: null,
          contributor_name: null,
        },
      ],
    });
    expect(findings).toEqual([]);
  });

  test('a request of an account that was deleted or disabled meanwhile creates nothing', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, mo] = [await site.key('ada'), await site.key('bob', { role: 'moderator' })];
    const ends: [status: number, made: string[]][] = [];
    for (const [method, path, body, who] of [
      ['PUT', '/api/v1/contributors/1/account/', { state: 'disabled', reason: 'x' }, mo],
      ['DELETE', '/api/v1/me/', { items: 'delete' }, ada],
    ] as const) {
      const begun = Promise.withResolvers<void>();
      const rest = Promise.withResolvers<void>();
      const form = new FormData();
      form.append('title', 'Too late');
      form.append('file', new File(['It took its time.'], 'slow.txt'));
      const whole = new Response(form);
      const headers = { ...ada, 'Content-Type': whole.headers.get('Content-Type') ?? '' };
      const bytes = await whole.bytes();
      const slow = new ReadableStream({
        async pull(controller) {
          begun.resolve();
          await rest.promise;
          controller.enqueue(bytes);
          controller.close();
        },
      });
      const upload = site.request('/api/v1/projects/', { method: 'POST', headers, body: slow });
      await begun.promise;
      await send(site, method, path, who, body);
      rest.resolve();
      ends.push([(await upload).status, await titles(site, '/api/v1/projects/?search=late')]);
      await send(site, 'PUT', '/api/v1/contributors/1/account/', mo, { state: 'open', reason: 'x' });
    }
    const findings = await checkGallery(site.database, false);

    expect(ends).toEqual([
      [401, []],
      [401, []],
    ]);
    expect(findings).toEqual([]);
  });

  test('an account is not deleted unless it says what happens to its projects', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    const answer = await send(site, 'DELETE', '/api/v1/me/', key, {});
    const me = await site.get('/api/v1/me/', key);

    expect([answer.status, await answer.json(), me.status]).toEqual([
      400,
      { items: ['This field is required.'] },
      200,
    ]);
  });
});
