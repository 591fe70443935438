// The bytes of files: who may read them, in ranges or whole, and when they are deleted.

import { expect, test } from 'bun:test';
import { rmSync, utimesSync } from 'node:fs';
import sql from 'sql-template-tag';
import { pick, select } from '#sql';
import { removeUnused } from '../src/core/files/store.ts';
import { sweep } from '../src/core/jobs/sweep.ts';
import { mediaTable } from '../src/projects/tables.ts';
import { onBothDatabases } from './support/databases.ts';
import { makeJobsDue } from './support/jobs.ts';
import { type Person, person, visitor } from './support/person.ts';
import { jpeg } from './support/pictures.ts';
import { ada as adasLine, contributor, dump, project, type Site, siteOn } from './support/site.ts';

const gallery = dump(adasLine, contributor(2, 'bob'), contributor(3, 'moderator'), project(1), project(2));
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Adds a file to a project and returns its path. */
async function upload(owner: Person, project: number, content: BlobPart, name: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  const response = await owner.post(`/api/v1/projects/${project}/media/`, form);
  const media = (await response.json()) as { url: string }[];
  return media.at(-1)?.url.replace('http://gallery.example', '') ?? '';
}

const storedFiles = (site: Site) => [...new Bun.Glob('**').scanSync(site.folder)];

/** Makes all stored files this old. */
function setAge(site: Site, hours: number): void {
  const time = Date.now() / 1000 - hours * 3600;
  for (const file of storedFiles(site)) utimesSync(`${site.folder}/${file}`, time, time);
}

onBothDatabases((kind) => {
  test('a file is served whole, in ranges, or as not modified', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const path = await upload(ada, 1, letters, 'letters.txt');
    const hash = path.slice(7, -4);
    const cases: [headers: Record<string, string>, status: number, range: string | null, body: string][] = [
      [{}, 200, null, letters],
      [{ Range: 'bytes=0-2' }, 206, 'bytes 0-2/26', 'abc'],
      [{ Range: 'bytes=23-' }, 206, 'bytes 23-25/26', 'xyz'],
      [{ Range: 'bytes=-2' }, 206, 'bytes 24-25/26', 'yz'],
      [{ Range: 'bytes=20-99' }, 206, 'bytes 20-25/26', 'uvwxyz'],
      [{ Range: 'bytes=-99' }, 206, 'bytes 0-25/26', letters],
      [{ Range: 'bytes=26-' }, 416, 'bytes */26', ''],
      [{ Range: 'bytes=-0' }, 416, 'bytes */26', ''],
      [{ Range: 'bytes=5-2' }, 200, null, letters],
      [{ Range: 'bytes=0-1,4-5' }, 200, null, letters],
      [{ Range: 'lines=0-1' }, 200, null, letters],
      [{ Range: 'bytes=0-0', 'If-Range': `"${hash}"` }, 206, 'bytes 0-0/26', 'a'],
      [{ Range: 'bytes=0-0', 'If-Range': '"another"' }, 200, null, letters],
      [{ 'If-None-Match': `"${hash}"` }, 304, null, ''],
      [{ 'If-None-Match': '"another"' }, 200, null, letters],
    ];
    for (const [headers, ...expected] of cases) {
      const response = await visitor(site).get(path, headers);
      const range = response.headers.get('Content-Range');
      expect([headers, response.status, range, await response.text()]).toEqual([headers, ...expected]);
    }

    const head = await visitor(site).request('HEAD', path);
    expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, '26', '']);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      etag: `"${hash}"`,
      'cache-control': 'public, max-age=300, must-revalidate',
      'accept-ranges': 'bytes',
      'cross-origin-resource-policy': 'cross-origin',
      'content-disposition': `attachment; filename="letters.txt"; filename*=UTF-8''letters.txt`,
    });

    const post = await visitor(site).post(path);
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
    expect(await post.json()).toEqual({ detail: 'Method "POST" not allowed.' });
  });

  test('with --media-url, clients are sent to a CDN for public files, which fetches them here', async () => {
    const environment = { VITRINE_MEDIA_URL: 'https://media.example.org' };
    const site = await siteOn(kind, { dump: gallery, environment });
    const ada = await person(site, 'ada');
    const path = await upload(ada, 1, letters, 'letters.txt');
    const redirect = await visitor(site).get(path);
    expect([
      redirect.status,
      redirect.headers.get('Location'),
      redirect.headers.get('Cache-Control'),
      redirect.headers.get('Access-Control-Allow-Origin'),
    ]).toEqual([302, `https://media.example.org${path}?direct`, 'public, max-age=240, must-revalidate', '*']);
    const fetched = await visitor(site).get(`${path}?direct`);
    expect([fetched.status, fetched.headers.get('Cache-Control'), await fetched.text()]).toEqual([
      200,
      'public, max-age=300, must-revalidate',
      letters,
    ]);
    const policy = (await visitor(site).get('/', { Accept: 'text/html' })).headers.get(
      'Content-Security-Policy',
    );
    expect(policy).toContain(
      "img-src 'self' https://media.example.org; media-src 'self' https://media.example.org;",
    );

    for (const visibility of ['unlisted', 'private']) {
      await ada.patch('/api/v1/projects/1/', { visibility });
      expect((await visitor(site).get(`${path}?direct`)).status).toBe(visibility === 'private' ? 404 : 200);
      const own = await ada.get(path);
      expect([own.status, own.headers.get('Cache-Control')]).toEqual([200, 'private, no-cache']);
    }
  });

  test('a file is visible to the viewers of its project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    const moderator = await person(site, 'moderator', { role: 'moderator' });
    const path = await upload(ada, 1, letters, 'a.txt');
    /** The statuses and cache directives that each of them gets. */
    const readAll = async () => {
      const responses = {
        visitor: await visitor(site).get(path),
        bob: await bob.get(path),
        ada: await ada.get(path),
        adasBrowser: await ada.browser.get(path),
        moderator: await moderator.get(path),
      };
      const lines = Object.entries(responses).map(([viewer, { status, headers }]) => [
        viewer,
        `${status} ${headers.get('Cache-Control')?.split(',')[0]}`,
      ]);
      return Object.fromEntries(lines) as Record<keyof typeof responses, string>;
    };
    const forAll = (line: string) => ({
      visitor: line,
      bob: line,
      ada: line,
      adasBrowser: line,
      moderator: line,
    });
    const hidden = { ...forAll('200 private'), visitor: '404 no-store', bob: '404 no-store' };
    expect(await readAll()).toEqual(forAll('200 public'));

    await ada.patch('/api/v1/projects/1/', { visibility: 'unlisted' });
    expect(await readAll()).toEqual(forAll('200 private'));
    const unlisted = await visitor(site).get(path);
    expect(Object.fromEntries(unlisted.headers)).toMatchObject({
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'Authorization, Cookie',
    });

    await ada.patch('/api/v1/projects/1/', { visibility: 'private' });
    expect(await readAll()).toEqual(hidden);

    await ada.patch('/api/v1/projects/1/', { visibility: 'public', status: 0 });
    expect(await readAll()).toEqual(hidden);

    await ada.delete('/api/v1/projects/1/');
    expect(await readAll()).toEqual(forAll('404 no-store'));

    const missing = await visitor(site).get(`/media/${'0'.repeat(64)}.txt`);
    expect(await (await visitor(site).get(path)).text()).toBe(await missing.text());
  });

  test('a file that a private and a public project share is public', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const path = await upload(ada, 1, letters, 'secret plan.txt');
    await ada.patch('/api/v1/projects/1/', { visibility: 'private' });
    expect((await visitor(site).get(path)).status).toBe(404);

    await upload(ada, 2, letters, 'letters.txt');
    const response = await visitor(site).get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Disposition')).toContain('letters.txt');
  });

  test('a file has only one URL', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = await upload(await person(site, 'ada'), 1, letters, 'a.txt');
    const others = [
      path.replace('.txt', '.html'),
      path.replace('.txt', ''),
      path.toUpperCase(),
      '/media/../gallery.sqlite',
      '/media/%2e%2e%2fa.txt',
      '/media/',
      '/media/unfinished',
    ];
    for (const other of others)
      expect([other, (await visitor(site).get(other)).status]).toEqual([other, 404]);
    expect(site.logged.filter((line) => line.includes('fault'))).toEqual([]);
  });

  test('bytes are deleted a day after the last file that uses them', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await upload(ada, 1, letters, 'a.txt');
    await upload(ada, 2, letters, 'b.txt');
    expect(storedFiles(site)).toHaveLength(1);

    setAge(site, 25);
    await ada.delete('/api/v1/projects/1/media/1/');
    await sweep(site.database, site.files);
    expect(storedFiles(site)).toHaveLength(1);

    setAge(site, 23);
    await ada.delete('/api/v1/projects/2/media/1/');
    await sweep(site.database, site.files);
    expect(storedFiles(site)).toHaveLength(1);

    setAge(site, 25);
    await makeJobsDue(site);
    await sweep(site.database, site.files);
    expect(storedFiles(site)).toEqual([]);
  });

  test('unused bytes of a crash are deleted, unless they are sent again meanwhile', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const path = await upload(ada, 1, letters, 'a.txt');
    await site.files.put('0'.repeat(64), new Uint8Array([1]));
    await Bun.write(`${site.folder}/unfinished/${crypto.randomUUID()}`, 'abc');
    await ada.delete('/api/v1/projects/1/media/1/');

    setAge(site, 25);
    await removeUnused(site.files, Date.now() - 24 * 3600_000, async () => {
      await upload(ada, 1, letters, 'a.txt');
      return new Set();
    });
    const response = await visitor(site).get(path);
    expect([response.status, await response.text()]).toEqual([200, letters]);
    expect(storedFiles(site)).toHaveLength(1);
  });

  test('files are deleted with their project and with their owner’s account', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await upload(ada, 1, letters, 'a.txt');
    await upload(ada, 2, letters, 'b.txt');
    const media = () => site.database.all(select(pick(mediaTable.columns, 'project'), sql`from media`));

    await ada.delete('/api/v1/projects/1/');
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = 1 where trashed is not null`),
    );
    await sweep(site.database, site.files);
    expect(await media()).toEqual([{ project: 2 }]);

    await ada.delete('/api/v1/me/', { items: 'delete' });
    expect(await media()).toEqual([]);
  });

  test('a file whose bytes are missing is not available, and the log says so', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = await upload(await person(site, 'ada'), 1, letters, 'a.txt');

    rmSync(site.folder, { recursive: true });
    const response = await visitor(site).get(path);
    expect([response.status, await response.json()]).toEqual([
      503,
      { detail: 'Service temporarily unavailable, try again later.' },
    ]);
    expect(site.logged.some((line) => line.includes('is missing from the file store'))).toBe(true);
  });
});

test('a picture is shown in the page and not downloaded, and is served in ranges', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const path = await upload(await person(site, 'ada'), 1, new Uint8Array(await jpeg(30, 20)), 'a.jpg');

  const { headers } = await visitor(site).get(path);
  expect([headers.get('Content-Type'), headers.get('Content-Disposition')]).toEqual(['image/webp', null]);

  const part = await visitor(site).get(path, { Range: 'bytes=0-3' });
  expect(await part.text()).toBe('RIFF');
});
