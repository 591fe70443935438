// The bytes of files: who gets them, in parts or whole, and what may be kept of them.

import { expect, test } from 'bun:test';
import { rmSync, utimesSync } from 'node:fs';
import sql from 'sql-template-tag';
import { deleteAccount } from '../src/gallery/accounts/delete.ts';
import { transact } from '../src/gallery/changes/transact.ts';
import { sweep } from '../src/gallery/sweep.ts';
import { onBothDatabases } from './support/databases.ts';
import { jpeg } from './support/pictures.ts';
import { ada, contributor, dump, project, type Site, siteOn } from './support/site.ts';

const gallery = dump(ada, contributor(2, 'bob'), contributor(3, 'mo'), project(1), project(2));

async function upload(site: Site, id: number, content: BlobPart, name: string, who = 'ada'): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([content]), name);
  const headers = await site.key(who);
  const response = await site.request(`/api/v1/projects/${id}/media/`, { method: 'POST', headers, body });
  const media = (await response.json()) as { url: string }[];
  return media.at(-1)?.url.replace('http://gallery.example', '') ?? '';
}

const put = async (site: Site, id: number, sent: object) =>
  site.request(`/api/v1/projects/${id}/`, {
    method: 'PATCH',
    headers: { ...(await site.key('ada')), 'Content-Type': 'application/json' },
    body: JSON.stringify(sent),
  });

/** All files as old as that. */
function age(site: Site, hours: number): void {
  const then = Date.now() / 1000 - hours * 3600;
  for (const file of new Bun.Glob('**').scanSync(site.folder))
    utimesSync(`${site.folder}/${file}`, then, then);
}

const filesIn = (site: Site) => [...new Bun.Glob('**').scanSync(site.folder)].length;

const letters = 'abcdefghijklmnopqrstuvwxyz';

onBothDatabases((kind) => {
  test('a file is served whole, by ranges, or as unchanged', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = await upload(site, 1, letters, 'letters.txt');
    const hash = path.slice(7, -4);
    const asked: [Record<string, string>, number, string | null, string][] = [
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
    const heard: unknown[] = [];
    for (const [headers] of asked) {
      const response = await site.get(path, headers);
      heard.push([headers, response.status, response.headers.get('Content-Range'), await response.text()]);
    }
    const head = await site.request(path, { method: 'HEAD' });
    const post = await site.request(path, { method: 'POST' });

    expect(heard).toEqual(asked);
    expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, '26', '']);
    expect([post.status, post.headers.get('Allow'), await post.json()]).toEqual([
      ...[405, 'GET, HEAD', { detail: 'Method "POST" not allowed.' }],
    ]);
    expect(Object.fromEntries(head.headers)).toMatchObject({
      etag: `"${hash}"`,
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'cross-origin-resource-policy': 'cross-origin',
      'content-disposition': `attachment; filename="letters.txt"; filename*=UTF-8''letters.txt`,
    });
  });

  test('a file is as visible as its project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = await upload(site, 1, letters, 'a.txt');
    const authenticator = {
      visitor: {},
      bob: await site.key('bob'),
      ada: await site.key('ada'),
      'ada in her browser': await site.signIn('ada'),
      mo: await site.key('mo', { role: 'moderator' }),
    };
    const heard = async () => {
      const told: string[] = [];
      for (const [viewer, headers] of Object.entries(authenticator)) {
        const { status, headers: given } = await site.get(path, headers);
        told.push(`${viewer} ${status} ${given.get('Cache-Control')?.split(',')[0]}`);
      }
      return told;
    };
    const states: Record<string, string[]> = { public: await heard() };
    await put(site, 1, { visibility: 'unlisted' });
    states.unlisted = await heard();
    await put(site, 1, { visibility: 'private' });
    states.private = await heard();
    await put(site, 1, { visibility: 'public', status: 0 });
    states.draft = await heard();
    await site.request('/api/v1/projects/1/', { method: 'DELETE', headers: authenticator.ada });
    states.trashed = await heard();
    const refused = await site.get(path);
    const never = await site.get(`/media/${'0'.repeat(64)}.txt`);

    const open = Object.keys(authenticator).map((viewer) => `${viewer} 200 public`);
    const hidden = [
      ...['visitor 404 no-store', 'bob 404 no-store', 'ada 200 private'],
      ...['ada in her browser 200 private', 'mo 200 private'],
    ];
    expect(states).toEqual({
      public: open,
      unlisted: open,
      private: hidden,
      draft: hidden,
      trashed: Object.keys(authenticator).map((viewer) => `${viewer} 404 no-store`),
    });
    expect(await refused.text()).toBe(await never.text());
  });

  test('a file that a private and a public project share is public', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = await upload(site, 1, letters, 'secret plan.txt');
    await put(site, 1, { visibility: 'private' });
    const before = await site.get(path);
    await upload(site, 2, letters, 'letters.txt');
    const after = await site.get(path);

    expect([before.status, after.status]).toEqual([404, 200]);
    expect(after.headers.get('Content-Disposition')).toContain('letters.txt');
  });

  test('a file has only one address', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = await upload(site, 1, letters, 'a.txt');
    const others = [
      ...[path.replace('.txt', '.html'), path.replace('.txt', ''), path.toUpperCase()],
      ...['/media/../gallery.sqlite', '/media/%2e%2e%2fa.txt', '/media/', '/media/unfinished'],
    ];
    const statuses = await Promise.all(others.map(async (other) => (await site.get(other)).status));

    expect(statuses).toEqual(others.map(() => 404));
    expect(site.logged.filter((line) => line.includes('fault'))).toEqual([]);
  });

  test('bytes are deleted a day after the last file that uses them', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    await upload(site, 1, letters, 'a.txt');
    await upload(site, 2, letters, 'b.txt');
    const counts = [filesIn(site)];
    const away = async (id: number) => {
      await site.request(`/api/v1/projects/${id}/media/1/`, { method: 'DELETE', headers: key });
      await sweep(site.database, site.files);
      counts.push(filesIn(site));
    };
    age(site, 25);
    await away(1);
    age(site, 23);
    await away(2);
    age(site, 25);
    await sweep(site.database, site.files);
    counts.push(filesIn(site));

    expect(counts).toEqual([1, 1, 1, 0]);
  });

  test('unused bytes of a crash are deleted, unless they are sent again meanwhile', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = await upload(site, 1, letters, 'a.txt');
    await site.files.put('0'.repeat(64), new Uint8Array([1]));
    await Bun.write(`${site.folder}/unfinished/half`, 'abc');
    await site.request('/api/v1/projects/1/media/1/', { method: 'DELETE', headers: await site.key('ada') });
    age(site, 25);
    const racing = site.files.removeUnused(Date.now() - 24 * 3600_000, async () => {
      await upload(site, 1, letters, 'a.txt');
      return new Set();
    });
    await racing;
    const served = await site.get(path);

    expect([served.status, await served.text()]).toEqual([200, letters]);
    expect(filesIn(site)).toBe(1);
  });

  test('files are deleted with their project and with their owner’s account', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await upload(site, 1, letters, 'a.txt');
    await upload(site, 2, letters, 'b.txt');
    await site.request('/api/v1/projects/1/', { method: 'DELETE', headers: await site.key('ada') });
    await site.database.transaction((transaction) =>
      transaction.run(sql`update project set trashed = 1 where trashed is not null`),
    );
    await sweep(site.database, site.files);
    const rows = () => site.database.all(sql`select project from media`);
    const [before] = [await rows()];
    await transact(site.database, null, (transaction, changeSet) =>
      deleteAccount(transaction, changeSet, 1, 'delete'),
    );
    const after = await rows();

    expect([before, after]).toEqual([[{ project: 2 }], []]);
  });

  test('a file whose bytes are missing is an internal error, and is logged', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = await upload(site, 1, letters, 'a.txt');
    rmSync(site.folder, { recursive: true });
    const response = await site.get(path);

    expect([response.status, await response.json()]).toEqual([500, { detail: 'A server error occurred.' }]);
    expect(site.logged.some((line) => line.includes('is missing from the file store'))).toBe(true);
  });
});

test('pictures are shown inline, and their sizes are served one by one', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const path = await upload(site, 1, new Uint8Array(await jpeg(30, 20)), 'a.jpg');
  const [whole, part] = [await site.get(path), await site.get(path, { Range: 'bytes=0-3' })];

  expect([whole.headers.get('Content-Type'), whole.headers.get('Content-Disposition')]).toEqual([
    'image/webp',
    null,
  ]);
  expect(await part.text()).toBe('RIFF');
});
