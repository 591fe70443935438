// Files in dumps: all of them are exported and imported again, and lines that contradict each other are refused.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { pick, select } from '#sql';
import { exportDump } from '../../src/features/export-import/export.ts';
import { importDump } from '../../src/features/export-import/import.ts';
import { findProjectsWithMissingFiles } from '../../src/projects/media/media-rows.ts';
import { mediaTable } from '../../src/projects/tables.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import { jpeg } from '../support/pictures.ts';
import {
  ada as adasLine,
  contentOf,
  contributor,
  dump,
  project,
  type Site,
  siteOn,
} from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const gallery = dump(adasLine, contributor(2, 'bob'), project(1), project(2), project(3, { contributor: 2 }));

async function upload(owner: Person, projectId: number, content: BlobPart, name: string): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  form.append('alt', `What ${name} shows`);
  const response = await owner.post(`/api/v1/projects/${projectId}/media/`, form);
  expect(response.status).toBe(201);
}

async function exportText({ database, files }: Site): Promise<string> {
  let lines = '';
  await exportDump(database, files, async (text) => {
    lines += text;
  });
  return lines;
}

const importText = ({ database, files }: Site, text: string) =>
  importDump(database, files, 'dump', new Blob([text]).stream());

const helloHash = '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969';
const sizeOf = (hash: string, bytes: number) => ({ hash, bytes, width: null, height: null });

/** The line of a file of project 1 that contains “Hello”. */
const mediaLine = (members: Record<string, unknown> = {}) =>
  JSON.stringify({
    type: 'media',
    project: 1,
    number: 1,
    position: 1,
    media_type: 'text/plain',
    name: 'a.txt',
    alt: '',
    sizes: [sizeOf(helloHash, 5)],
    ...members,
  });

/** The line with its bytes. */
const bytesLine = (members: Record<string, unknown> = {}) =>
  JSON.stringify({ type: 'bytes', hash: helloHash, of: 5, at: 0, base64: btoa('Hello'), ...members });

const refusals: readonly (readonly [lines: string[], lineNumber: number, reason: string])[] = [
  [[mediaLine(), bytesLine({ base64: btoa('Hallo') })], 2, `hash: the bytes are not those of ${helloHash}.`],
  [[mediaLine()], 1, `sizes: the bytes of ${helloHash} have not come.`],
  [[mediaLine(), bytesLine({ base64: btoa('Hel') })], 2, `the bytes of ${helloHash} have not ended.`],
  [
    [mediaLine(), bytesLine({ base64: btoa('Hel') }), project(4)],
    3,
    `the bytes of ${helloHash} have not ended.`,
  ],
  [[mediaLine(), bytesLine({ at: 3 })], 2, 'at: is not where the line before it ended.'],
  [[mediaLine(), bytesLine({ base64: btoa('Hello!') })], 2, 'of: there are more than 5 bytes.'],
  [[mediaLine({ sizes: [sizeOf(helloHash, 6)] }), bytesLine()], 1, `sizes: ${helloHash} has 5 bytes.`],
  [[mediaLine({ project: 77 }), bytesLine()], 1, 'project: there is no project 77.'],
  [[mediaLine(), bytesLine(), mediaLine({ number: 2 })], 3, 'position: another file of the project has it.'],
  [[mediaLine(), bytesLine(), mediaLine({ position: 2 })], 3, 'number: another file of the project has it.'],
  [[mediaLine({ media_type: 'text/html' })], 1, 'media_type: must be one of image/webp'],
  [[mediaLine({ name: '../a.txt' })], 1, 'name: must not hold a slash.'],
  [[mediaLine({ position: 11 })], 1, 'position: must be a whole number from 0 to 10.'],
  [[mediaLine({ sizes: [] })], 1, 'sizes: must be a list of 1 to 10.'],
  [[mediaLine({ sizes: [sizeOf('../../etc/passwd', 5)] })], 1, 'sizes: hash: must be'],
  [[bytesLine({ base64: '<>' })], 1, 'base64: must be base64.'],
];

onBothDatabases((kind) => {
  test('an exported gallery with its files is imported, and exported again byte for byte', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    await upload(ada, 1, new Uint8Array(await jpeg(900, 600)), 'kite.jpg');
    await upload(ada, 1, 'Notes. '.repeat(200_000), 'notes.txt');
    await upload(ada, 2, 'Hello', 'hello.txt');
    await bob.post('/api/v1/projects/1/copy/');
    await ada.patch('/api/v1/projects/1/media/2/', { position: 1 });

    const first = await exportText(site);
    const lines = first.split('\n');
    expect(lines.filter((line) => line.startsWith('{"type":"media"'))).toHaveLength(5);
    // Three sizes of the picture, four parts of the notes, one of hello.txt; the copy needs no bytes of its own.
    expect(lines.filter((line) => line.startsWith('{"type":"bytes"'))).toHaveLength(3 + 4 + 1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600_000);

    const other = await siteOn(kind);
    await importText(other, first);
    // A boolean, because the difference of two long texts takes long to print.
    expect((await exportText(other)) === first).toBe(true);
    expect(await findProjectsWithMissingFiles(other.database, other.files)).toEqual([]);
    const media = '/api/v1/projects/1/?fields=media';
    expect(await other.json(media)).toEqual(await site.json(media));

    await importText(other, first);
    expect(contentOf(await exportText(other)) === contentOf(first)).toBe(true);
  });

  test('lines that contradict each other are refused with a line number, and nothing is imported', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const before = await exportText(site);

    for (const [lines, lineNumber, reason] of refusals) {
      expect(await refusalOf(importText(site, dump(...lines)))).toContain(`dump:${lineNumber}: ${reason}`);
      expect(await exportText(site)).toBe(before);
    }
  });

  test('a dump may leave out bytes that the gallery has, and replaces all files of a project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await upload(ada, 1, 'Hello', 'hello.txt');
    await upload(ada, 1, 'Other', 'other.txt');

    await importText(site, dump(mediaLine({ name: 'renamed.txt' })));
    const columns = pick(mediaTable.columns, 'project', 'number', 'name');
    expect(await site.database.all(select(columns, sql`from media order by project, number`))).toEqual([
      { project: 1, number: 1, name: 'renamed.txt' },
    ]);
  });

  test('the export of one’s own data has one’s own files and no others', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
    await upload(ada, 1, 'Hello', 'hello.txt');
    await upload(ada, 1, 'Other', 'other.txt');
    await ada.patch('/api/v1/projects/1/media/2/', { position: 1 });
    await bob.post('/api/v1/projects/1/copy/');
    const projectsWithFiles = (text: string) =>
      [...text.matchAll(/^\{"type":"media","project":(\d+)/gm)].map(([, id]) => Number(id));

    const head = await ada.request('HEAD', '/api/v1/me/dump/?format=ndjson');
    expect([head.status, await head.text()]).toEqual([200, '']);

    const adasExport = await (await ada.get('/api/v1/me/dump/?format=ndjson')).text();
    expect(projectsWithFiles(adasExport)).toEqual([1, 1]);

    // The copy is project 4.
    const bobsExport = await (await bob.get('/api/v1/me/dump/?format=ndjson')).text();
    expect(projectsWithFiles(bobsExport)).toEqual([4, 4]);

    const other = await siteOn(kind);
    const [marker, ...lines] = adasExport.split('\n');
    expect(marker).toBe('{"type":"own-data","contributor":1}');
    await importText(other, lines.join('\n'));
    expect(contentOf(await exportText(other))).toBe(lines.join('\n'));
    expect(await (await other.get(`/media/${helloHash}.txt`)).text()).toBe('Hello');
  });
});
