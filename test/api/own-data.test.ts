// The download of one's own things: a ZIP that opens without the gallery.

import { expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { type Person, person } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, {
    title: 'A <b>lamp</b>',
    tags: ['light'],
    text: '![It shines](Lamp.png) <script>alert(1)</script>',
  }),
  project(2, { title: 'Bob’s lamp', contributor: 2 }),
  project(3, { title: 'Better lamp', copied_from: 2, status: 0 }),
  project(4, { title: 'Hidden from ada', contributor: 2, visibility: 'private' }),
  project(5, { title: 'Own idea', visibility: 'private' }),
  project(6, { title: 'Remark', content_type: 'comment', text: 'I **like** it.', parent: 2 }),
  project(7, { title: 'Reply', content_type: 'comment', contributor: 2, text: 'Bob’s words', parent: 1 }),
);

async function upload(owner: Person, id: number, file: File): Promise<void> {
  const form = new FormData();
  form.append('file', file);
  form.append('alt', 'A “lamp” & more');
  expect((await owner.post(`/api/v1/projects/${id}/media/`, form)).status).toBe(201);
}

async function download(owner: Person): Promise<Record<string, string>> {
  const bytes = await (await owner.get('/api/v1/me/dump/')).bytes();
  const files = Object.entries(unzipSync(bytes));
  return Object.fromEntries(files.map(([name, content]) => [name, new TextDecoder().decode(content)]));
}

onBothDatabases((kind) => {
  test('the ZIP has everything of one’s own, as a page, as lines and as files', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await upload(ada, 1, new File([new Uint8Array(png(2000, 100))], 'Lamp.png'));
    await upload(ada, 5, new File(['x = 1'], 'CON.py'));
    await upload(ada, 5, new File(['y = 1'], `${'ü'.repeat(99)}.py`));
    await ada.put('/api/v1/projects/2/rating/', { value: 5 });
    await ada.delete('/api/v1/projects/5/');

    const files = await download(ada);
    expect(Object.keys(files)).toEqual([
      'index.html',
      'data.ndjson',
      'files/1/1-Lamp.webp',
      'files/5/1-CON.py',
      `files/5/2-${'ü'.repeat(50)}.py`,
    ]);
    expect(files['files/5/1-CON.py']).toBe('x = 1');

    const lines = (files['data.ndjson'] ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ type: 'own-data', contributor: 1, gallery: 'http://gallery.example' });
    expect(lines.map(({ type, id, project, path }) => [type, path ?? id ?? project])).toEqual([
      ['own-data', undefined],
      ['contributor', 1],
      ['project', 1],
      ['project', 3],
      ['project', 5],
      ['project', 6],
      ['source', 2],
      ['media', 1],
      ['file', 'files/1/1-Lamp.webp'],
      ['media', 5],
      ['file', 'files/5/1-CON.py'],
      ['media', 5],
      ['file', `files/5/2-${'ü'.repeat(50)}.py`],
      ['rating', 2],
    ]);
    expect(lines.find(({ type }) => type === 'source')).toEqual({
      type: 'source',
      id: 2,
      title: 'Bob’s lamp',
      name: 'bob',
      url: `http://gallery.example${pathOf(2)}`,
    });
  });

  test('the page in the ZIP shows projects, pictures, comments and ratings, and runs nothing', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await upload(ada, 1, new File([new Uint8Array(png(64, 64))], 'Lamp.png'));
    await ada.put('/api/v1/projects/2/rating/', { value: 5 });
    await ada.delete('/api/v1/projects/5/');

    const { 'index.html': html = '' } = await download(ada);
    const page = await readPage(new Response(html));
    expect(page.textsOf('article')).toEqual([
      'Own idea Story · 1 January 2024 Trash Private',
      'Better lamp Story · 1 January 2024 draft on the site Remix of Bob’s lamp by bob',
      'A <b>lamp</b> Story · 1 January 2024 on the site <script>alert(1)</script> #light',
      'Comment · 1 January 2024 on the site Comment on Bob’s lamp by bob I like it.',
    ]);
    expect(page.textsOf('li')).toEqual(['5 /5: Bob’s lamp']);
    const pictures = page.document.querySelectorAll('img').map(({ attributes }) => attributes);
    expect(pictures).toEqual([
      expect.objectContaining({ src: 'files/1/1-Lamp.webp', alt: 'It shines', width: '64', height: '64' }),
    ]);
    expect(html).not.toMatch(/<script|Bob’s words|Hidden from ada/);
  });
});

test('a client chooses the ZIP or the lines, and OpenAPI describes both', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const key = await site.key('ada');
  const askFor = async (path: string, Accept: string) => {
    const response = await site.get(path, { ...key, Accept });
    await response.bytes();
    return [response.status, response.headers.get('Content-Type')];
  };
  const { paths } = await (await site.get('/api/v1/schema/')).json();

  const path = '/api/v1/me/dump/';
  expect(await askFor(path, '*/*')).toEqual([200, 'application/zip']);
  expect(await askFor(path, 'text/html')).toEqual([200, 'application/zip']);
  expect(await askFor(path, 'application/zip')).toEqual([200, 'application/zip']);
  expect(await askFor(path, 'application/x-ndjson')).toEqual([200, 'application/x-ndjson']);
  expect(await askFor(`${path}?format=ndjson`, 'text/html')).toEqual([200, 'application/x-ndjson']);
  expect(await askFor(path, 'image/png')).toEqual([406, 'application/json']);
  expect(await askFor(`${path}?format=csv`, '*/*')).toEqual([404, 'application/json']);
  expect(await askFor('/api/v1/me/', 'application/x-ndjson')).toEqual([406, 'application/json']);
  expect(Object.keys(paths[path].get.responses[200].content)).toEqual([
    'application/zip',
    'application/x-ndjson',
  ]);
});
