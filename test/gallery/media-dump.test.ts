// Files in dumps: all of them come out and go in again, and what does not fit together is refused.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { pick } from '../../src/database/columns.ts';
import { select } from '../../src/database/query.ts';
import { mediaTable } from '../../src/database/schema.ts';
import { exportDump } from '../../src/gallery/dump/export.ts';
import { importDump } from '../../src/gallery/dump/import.ts';
import { findProjectsWithMissingFiles } from '../../src/gallery/media/missing-files.ts';
import { onBothDatabases } from '../support/databases.ts';
import { jpeg } from '../support/pictures.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(ada, contributor(2, 'bob'), project(1), project(2), project(3, { contributor: 2 }));

async function upload(site: Site, id: number, content: BlobPart, name: string): Promise<void> {
  const body = new FormData();
  body.append('file', new Blob([content]), name);
  body.append('alt', `What ${name} shows`);
  const headers = await site.key('ada');
  await site.request(`/api/v1/projects/${id}/media/`, { method: 'POST', headers, body });
}

async function exported({ database, files }: Site): Promise<string> {
  let lines = '';
  await exportDump(database, files, async (text) => {
    lines += text;
  });
  return lines;
}

const take = ({ database, files }: Site, text: string) =>
  importDump(database, files, 'dump', new Blob([text]).stream());

const hello = '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969';
const media = (members: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: 'media',
    project: 1,
    number: 1,
    position: 1,
    media_type: 'text/plain',
    name: 'a.txt',
    alt: '',
    sizes: [{ hash: hello, bytes: 5, width: null, height: null }],
    ...members,
  });
const bytes = (members: Record<string, unknown> = {}) =>
  JSON.stringify({ type: 'bytes', hash: hello, of: 5, at: 0, base64: btoa('Hello'), ...members });

onBothDatabases((kind) => {
  test('what was exported with its files is imported and exported to the letter', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await upload(site, 1, new Uint8Array(await jpeg(900, 600)), 'kite.jpg');
    await upload(site, 1, 'Notes. '.repeat(200_000), 'notes.txt');
    await upload(site, 2, 'Hello', 'hello.txt');
    await site.request('/api/v1/projects/1/copy/', { method: 'POST', headers: await site.key('bob') });
    await site.request('/api/v1/projects/1/media/2/', {
      method: 'PATCH',
      body: '{"position":1}',
      headers: { ...(await site.key('ada')), 'Content-Type': 'application/json' },
    });
    const first = await exported(site);
    const other = await siteOn(kind);
    await take(other, first);
    const second = await exported(other);
    const missing = await findProjectsWithMissingFiles(other.database, other.files);
    const served = (await site.json('/api/v1/projects/1/?fields=media')) as object;
    const anew = (await other.json('/api/v1/projects/1/?fields=media')) as object;
    await take(other, first);
    const third = await exported(other);

    const lines = first.split('\n');
    expect(second === first).toBe(true);
    expect(third === first).toBe(true);
    expect(anew).toEqual(served);
    expect(missing).toEqual([]);
    expect(lines.filter((line) => line.startsWith('{"type":"media"')).length).toBe(5);
    // Three sizes of the picture, four parts of the notes, one of hello: the copy brings nothing.
    expect(lines.filter((line) => line.startsWith('{"type":"bytes"')).length).toBe(3 + 4 + 1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600_000);
  });

  test('what does not fit together is refused with its line, and nothing is imported', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const wrong: [lines: string[], line: number, reason: string][] = [
      [[media(), bytes({ base64: btoa('Hallo') })], 2, `hash: the bytes are not those of ${hello}.`],
      [[media()], 1, `sizes: the bytes of ${hello} have not come.`],
      [[media(), bytes({ base64: btoa('Hel') })], 2, `the bytes of ${hello} have not ended.`],
      [[media(), bytes({ base64: btoa('Hel') }), project(4)], 3, `the bytes of ${hello} have not ended.`],
      [[media(), bytes({ at: 3 })], 2, 'at: is not where the line before it ended.'],
      [[media(), bytes({ base64: btoa('Hello!') })], 2, 'of: there are more than 5 bytes.'],
      [
        [media({ sizes: [{ hash: hello, bytes: 6, width: null, height: null }] }), bytes()],
        1,
        `sizes: ${hello} has 5 bytes.`,
      ],
      [[media({ project: 77 }), bytes()], 1, 'project: there is no project 77.'],
      [[media(), bytes(), media({ number: 2 })], 3, 'position: another file of the project has it.'],
      [[media(), bytes(), media({ position: 2 })], 3, 'number: another file of the project has it.'],
      [[media({ media_type: 'text/html' })], 1, 'media_type: must be one of image/webp'],
      [[media({ name: '../a.txt' })], 1, 'name: must not hold a slash.'],
      [[media({ position: 11 })], 1, 'position: must be a whole number from 1 to 10.'],
      [[media({ sizes: [] })], 1, 'sizes: must be a list of 1 to 10.'],
      [
        [media({ sizes: [{ hash: '../../etc/passwd', bytes: 5, width: null, height: null }] })],
        1,
        'sizes: hash: must be',
      ],
      [[bytes({ base64: '<>' })], 1, 'base64: must be base64.'],
    ];
    const before = await exported(site);
    const heard: string[] = [];
    for (const [lines] of wrong) {
      await take(
        site,
        dump(project(9), ...lines)
          .split('\n')
          .slice(1)
          .join('\n'),
      ).catch(({ message }) => heard.push(message));
    }
    const after = await exported(site);

    expect(heard).toEqual(
      wrong.map(([, line, reason]) => expect.stringContaining(`dump:${line}: ${reason}`)),
    );
    expect(after).toBe(before);
  });

  test('a dump may leave out bytes that are there, and replaces the files of a project as a whole', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await upload(site, 1, 'Hello', 'hello.txt');
    await upload(site, 1, 'Other', 'other.txt');
    await take(site, `${media({ name: 'renamed.txt' })}\n`);
    const rows = await site.database.all(
      select(pick(mediaTable.columns, 'project', 'number', 'name'), sql`from media order by project, number`),
    );

    expect(rows).toEqual([{ project: 1, number: 1, name: 'renamed.txt' }]);
  });

  test('the export of one’s own data has one’s own files and no others', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await upload(site, 1, 'Hello', 'hello.txt');
    await upload(site, 1, 'Other', 'other.txt');
    await site.request('/api/v1/projects/1/media/2/', {
      method: 'PATCH',
      headers: await site.key('ada'),
      body: new URLSearchParams({ position: '1' }),
    });
    await site.request('/api/v1/projects/1/copy/', { method: 'POST', headers: await site.key('bob') });
    const [mine, theirs] = await Promise.all(
      ['ada', 'bob'].map(async (who) => (await site.get('/api/v1/me/dump/', await site.key(who))).text()),
    );
    const head = await site.request('/api/v1/me/dump/', { method: 'HEAD', headers: await site.key('ada') });
    const other = await siteOn(kind);
    await take(other, mine ?? '');
    const file = await other.get(`/media/${hello}.txt`);
    const again = await exported(other);

    expect([head.status, await file.text()]).toEqual([200, 'Hello']);
    expect(again).toBe(mine ?? '');
    const projects = (text = '') =>
      [...text.matchAll(/^\{"type":"media","project":(\d+)/gm)].map(([, id]) => Number(id));
    expect([projects(mine), projects(theirs)]).toEqual([
      [1, 1],
      [4, 4],
    ]);
  });
});
