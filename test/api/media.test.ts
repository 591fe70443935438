// The files of projects: uploads, what is stored of them, and what is refused.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { contentTypes, emptyPdf, wordParts, zip } from '../support/documents.ts';
import { type Person, person, visitor } from '../support/person.ts';
import {
  jpeg,
  locationInVideo,
  locationInXmp,
  mp4,
  photographer,
  png,
  pngWithHeader,
  withMetadata,
} from '../support/pictures.ts';
import {
  ada as adasLine,
  contributor,
  dump,
  exportAll,
  pathOf as pagePathOf,
  project,
  type Site,
  siteOn,
} from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'A kite' }),
  project(2, { content_type: 'comment', parent: 1, contributor: 2 }),
);

interface Media {
  number: number;
  position: number;
  type: string;
  name: string;
  alt: string;
  focus: string;
  url: string;
  width: number | null;
  height: number | null;
  sizes: { url: string; bytes: number; width: number | null; height: number | null }[];
}

type Part = readonly [content: Uint8Array<ArrayBuffer> | string, name: string, type?: string];

function form(files: readonly Part[], fields: Record<string, string | string[]> = {}): FormData {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values].flat()) data.append(name, value);
  }
  for (const [content, name, type] of files) data.append('file', new Blob([content], { type }), name);
  return data;
}

const bytesOf = (picture: Buffer) => new Uint8Array(picture);

const pathOf = (url: string) => url.replace('http://gallery.example', '');

const mediaOf = (viewer: Person, id: number) => viewer.json<Media[]>(`/api/v1/projects/${id}/media/`);

/** The bytes of every stored file. */
async function readStoredFiles(site: Site): Promise<Buffer[]> {
  const files = [...new Bun.Glob('**').scanSync(site.folder)];
  return Promise.all(
    files.map(async (file) => Buffer.from(await Bun.file(`${site.folder}/${file}`).bytes())),
  );
}

onBothDatabases((kind) => {
  test('a photo is stored with its new project, upright, in the sizes that pages show', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const photo = withMetadata(await jpeg(1500, 1000), 6);

    const response = await ada.post(
      '/api/v1/projects/?include=media&fields=id,title,media',
      form([[bytesOf(photo), 'Kite at the beach.JPG']], {
        title: 'Kite',
        content_type: 'photo',
        alt: 'A red kite over the sea',
      }),
    );
    const project = (await response.json()) as { id: number; title: string; media: Media[] };
    const [media] = project.media;
    expect([response.status, project.id, project.title]).toEqual([201, 3, 'Kite']);
    expect(media).toMatchObject({
      number: 1,
      position: 1,
      type: 'image/webp',
      name: 'Kite at the beach.webp',
      alt: 'A red kite over the sea',
      width: 1000,
      height: 1500,
    });
    expect(media?.sizes.map(({ width, height }) => [width, height])).toEqual([
      [320, 480],
      [640, 960],
      [1000, 1500],
    ]);

    const single = await visitor(site).json('/api/v1/projects/3/?fields=media');
    expect(single).toEqual({ media: project.media });

    const list = await visitor(site).json('/api/v1/projects/?contributor=ada&fields=id,media');
    expect(list).toMatchObject({
      results: [
        { id: 3, media: project.media },
        { id: 1, media: [] },
      ],
    });
  });

  test('the metadata of a photo or video is not stored', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const photo = withMetadata(await jpeg(700, 500), 1);
    const secrets = [photographer, locationInXmp, locationInVideo];
    const sent = Buffer.concat([photo, mp4()]);
    for (const secret of secrets) expect(sent.includes(secret)).toBe(true);

    const response = await ada.post(
      '/api/v1/projects/1/media/',
      form([
        [bytesOf(photo), 'a.jpg'],
        [bytesOf(mp4()), 'a.mp4'],
      ]),
    );
    expect(response.status).toBe(201);
    const stored = Buffer.concat(await readStoredFiles(site));
    for (const text of [...secrets, 'Exif', 'EXIF', 'XMP ', 'xmpmeta'])
      expect(stored.includes(text)).toBe(false);
    expect(stored.includes('frames')).toBe(true);
  });

  test('the type of a file comes from its content, not from its name or its sender', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const files: Part[] = [
      [bytesOf(png(4, 4)), '../../etc/passwd', 'text/html'],
      ['<script>alert(1)</script>', 'page.html', 'text/html'],
      ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'drawing.svg', 'image/svg+xml'],
      [emptyPdf, 'C:\\papers\\plan.exe', 'image/png'],
      [zip(wordParts()), 'letter.zip'],
      [zip({ mimetype: 'application/epub+zip' }), 'book'],
      [zip({ 'project.json': '' }), 'cat\u202egpj.sb3'],
    ];

    const response = await ada.post('/api/v1/projects/1/media/', form(files));
    const media = (await response.json()) as Media[];
    expect(media.map(({ type, name }) => [type.split(/[/.]/).at(-1), name])).toEqual([
      ['webp', 'passwd.webp'],
      ['plain', 'page.html.txt'],
      ['plain', 'drawing.svg'],
      ['pdf', 'plan.exe.pdf'],
      ['document', 'letter.zip.docx'],
      ['epub+zip', 'book.epub'],
      ['zip', 'cat gpj.sb3'],
    ]);

    for (const { url, name } of media) {
      const { headers } = await site.get(pathOf(url));
      expect([headers.get('X-Content-Type-Options'), headers.get('Content-Security-Policy')]).toEqual([
        'nosniff',
        "default-src 'none'; sandbox",
      ]);
      expect(headers.get('Content-Disposition')?.split(';')[0]).toBe(
        name === 'passwd.webp' ? undefined : 'attachment',
      );
      if (name === 'page.html.txt') expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    }
  });

  test('what makers make keeps its name, and is downloaded as text or bytes', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const stl = Buffer.alloc(84 + 50, 'made by Ada');
    stl.writeUInt32LE(1, 80);
    const glb = Buffer.from(`glTF\x02\0\0\0\x64\0\0\0\x50\0\0\0JSON${'{}'.padEnd(80)}`, 'latin1');
    const uf2 = Buffer.alloc(1024);
    uf2.write('UF2\nWQ]\x9e', 'latin1');
    const scratch = zip({ 'project.json': '{}' });
    const [text, binary] = ['text/plain; charset=utf-8', 'application/octet-stream'];
    const files: [Part, name: string, contentType: string][] = [
      [['print("hello")', 'prog.py'], 'prog.py', text],
      [['alert(1)', 'GAME.JS', 'text/javascript'], 'GAME.JS', text],
      [['void setup() {}', 'blink.ino'], 'blink.ino', text],
      [['solid cube\nendsolid', 'cube.stl'], 'cube.stl', text],
      [[':00000001FF', 'micro.bit.hex'], 'micro.bit.hex', text],
      [['a batch', 'start.bat'], 'start.bat.txt', text],
      [['no archive', 'game.sb3'], 'game.sb3.txt', text],
      [[scratch, 'Game.sb3', 'application/zip'], 'Game.sb3', binary],
      [[zip({ 'a.txt': 'a' }), 'prog.py'], 'prog.py.zip', 'application/zip'],
      [[bytesOf(stl), 'bear.stl'], 'bear.stl', binary],
    ];
    const more: typeof files = [
      [[bytesOf(glb), 'bear.exe'], 'bear.exe.glb', binary],
      [[bytesOf(uf2), 'firmware.UF2'], 'firmware.uf2', binary],
      [['body {}', `${'long '.repeat(40)}.css`], `${'long '.repeat(20).trim()}.css`, text],
      [['# Read me', '.md'], 'file.md', text],
    ];

    for (const list of [files, more]) {
      const parts = list.map(([part]) => part);
      const response = await ada.post('/api/v1/projects/?fields=media', form(parts, { title: 'Made' }));
      const { media } = (await response.json()) as { media: Media[] };
      expect(media.map(({ name }) => name)).toEqual(list.map(([, name]) => name));
      for (const [index, { url }] of media.entries()) {
        const { headers } = await site.get(pathOf(url));
        const [, name = '', contentType] = list[index] ?? [];
        expect(Object.fromEntries(headers)).toMatchObject({
          'content-type': contentType,
          'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(name)}`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
        });
      }
    }

    const dumped = await exportAll(site);
    const copy = await siteOn(kind, { dump: dumped });
    expect(await exportAll(copy)).toBe(dumped);
  });

  test('bytes after the end of a picture are not stored', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const polyglot = Buffer.concat([await jpeg(40, 40), Buffer.from('PK\x03\x04<script>alert(1)</script>')]);

    const response = await ada.post('/api/v1/projects/1/media/', form([[bytesOf(polyglot), 'a.jpg']]));
    expect(response.status).toBe(201);
    const stored = Buffer.concat(await readStoredFiles(site));
    expect([stored.includes('script'), stored.includes('PK\x03\x04')]).toEqual([false, false]);
  });

  test('an unacceptable file is refused with a message, and nothing is created', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const photo = await jpeg(600, 400);
    const before = await visitor(site).json('/api/v1/projects/');
    const cases: [Part, RegExp][] = [
      [['', 'empty.jpg'], /^The submitted file is empty\.$/],
      [['\0\x01\x02\x03', 'a.jpg'], /^This kind of file is not taken\. Send a picture/],
      [['MZ\x90\0', 'setup.pdf'], /^This kind of file is not taken/],
      [[bytesOf(photo.subarray(0, photo.length >> 1)), 'a.jpg'], /^This picture is broken or cut off\.$/],
      [[bytesOf(png(90, 90).subarray(0, 300)), 'a.png'], /^This picture is broken or cut off\.$/],
      [
        [bytesOf(pngWithHeader(30_000, 30_000, Buffer.alloc(20))), 'bomb.png'],
        /^Send a picture of at most 50 megapixels\.$/,
      ],
      [['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'a.heic'], /^HEIC and AVIF pictures cannot be read here/],
      [
        [zip({ '[Content_Types].xml': contentTypes(), 'word/vbaProject.bin': '' }), 'a.docm'],
        /^Documents with macros are not taken\.$/,
      ],
      [['PK\x03\x04 and more', 'a.zip'], /^This file is broken or cut off\.$/],
    ];

    for (const [file, message] of cases) {
      const response = await ada.post('/api/v1/projects/', form([file], { title: 'So' }));
      expect([response.status, await response.json()]).toEqual([
        400,
        { file: [expect.stringMatching(message)] },
      ]);
    }
    expect(await visitor(site).json('/api/v1/projects/')).toEqual(before);
  });

  test('the errors of several files are all reported, and none is stored', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    const response = await ada.post(
      '/api/v1/projects/1/media/',
      form([
        ['Notes.', 'notes.txt'],
        ['\0', 'one'],
        ['', 'two'],
      ]),
    );
    expect([response.status, await response.json()]).toEqual([
      400,
      { file: [expect.stringMatching(/^one: This kind of file/), 'two: The submitted file is empty.'] },
    ]);
    expect(await mediaOf(ada, 1)).toEqual([]);
  });

  test('a form without a chosen file creates a project without files', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const headers = { ...(await ada.key()), 'Content-Type': 'multipart/form-data; boundary=edge' };
    const post = (path: string, body: string) => site.request(path, { method: 'POST', headers, body });
    const title = '--edge\r\nContent-Disposition: form-data; name="title"\r\n\r\nSo\r\n';
    const noFile =
      '--edge\r\nContent-Disposition: form-data; name="file"; filename=""\r\n' +
      'Content-Type: application/octet-stream\r\n\r\n\r\n--edge--\r\n';

    const created = await post('/api/v1/projects/?fields=title,media', title + noFile);
    expect([created.status, await created.json()]).toEqual([201, { title: 'So', media: [] }]);

    const added = await post('/api/v1/projects/1/media/', noFile);
    expect([added.status, await added.json()]).toEqual([400, { file: ['No file was submitted.'] }]);
  });

  test('a project has ten files at most, and a comment none', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const bob = await person(site, 'bob');
    const files = (count: number) =>
      form(Array.from({ length: count }, (_, index): Part => [`${index}`, `${index}.txt`]));
    const add = async (count: number) => (await ada.post('/api/v1/projects/1/media/', files(count))).status;

    expect(await add(11)).toBe(400);
    expect(await add(9)).toBe(201);
    expect(await add(2)).toBe(400);
    expect(await add(1)).toBe(201);
    expect((await mediaOf(ada, 1)).length).toBe(10);

    const comment = await bob.post('/api/v1/projects/2/media/', files(1));
    expect([comment.status, await comment.json()]).toEqual([400, { file: ['A comment has no files.'] }]);
  });

  test('files are moved, described and deleted, and each of these changes the project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const media = '/api/v1/projects/1/media/';
    /** The files in their order, and the tag of the project that has them. */
    const read = async () => {
      const response = await visitor(site).get('/api/v1/projects/1/?include=media&fields=modified,media');
      const project = (await response.json()) as { media: Media[] };
      const files = project.media.map(({ number, position, alt }) => `${number}@${position} ${alt}`.trim());
      return { files, tag: response.headers.get('ETag') ?? '' };
    };
    const empty = await read();
    expect(empty.files).toEqual([]);

    const three = form(
      [
        ['1', '1.txt'],
        ['2', '2.txt'],
        ['3', '3.txt'],
      ],
      { alt: ['one', 'two'] },
    );
    expect((await ada.post(media, three)).status).toBe(201);
    const added = await read();
    expect(added.files).toEqual(['1@1 one', '2@2 two', '3@3']);

    expect((await ada.patch(`${media}3/`, { position: 1, alt: 'three' })).status).toBe(200);
    const moved = await read();
    expect(moved.files).toEqual(['3@1 three', '1@2 one', '2@3 two']);

    expect((await ada.patch(`${media}3/`, { position: 9 })).status).toBe(400);
    expect(await read()).toEqual(moved);

    expect((await ada.delete(`${media}1/`)).status).toBe(204);
    const deleted = await read();
    expect(deleted.files).toEqual(['3@1 three', '2@2 two']);

    expect((await ada.patch(`${media}1/`, { alt: 'gone' })).status).toBe(404);
    expect(await read()).toEqual(deleted);

    expect(new Set([empty.tag, added.tag, moved.tag, deleted.tag]).size).toBe(4);
    const stale = await ada.request('DELETE', `${media}2/`, undefined, { 'If-Match': empty.tag });
    expect(stale.status).toBe(412);

    const feed = await visitor(site).json<{ results: object[] }>('/api/v1/changes/?since=4');
    const change = expect.objectContaining({ action: 'changed', kind: 'project', id: 1 });
    expect(feed.results).toEqual([change, change, change]);
  });

  test('covers show the part of a picture that its maker chose, also of copies and after an import', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const media = '/api/v1/projects/1/media/';
    await ada.post(media, form([[bytesOf(png(80, 30)), 'roof.png']]));
    const focusOf = async (path: string) => (await ada.json<Media>(path)).focus;
    expect(await focusOf(`${media}1/`)).toBe('center');
    const coverOf = async (viewer: Person) =>
      (await viewer.open('/')).attributesOf('.card .cover', 'class')[0];
    expect(await coverOf(visitor(site))).toBe('cover');

    const wrong = await ada.patch(`${media}1/`, { focus: 'above' });
    expect([wrong.status, await wrong.json()]).toEqual([400, { focus: ['"above" is not a valid choice.'] }]);
    const changed = await ada.patch(`${media}1/`, { focus: 'top-left' });
    expect([changed.status, await changed.json()]).toMatchObject([200, { focus: 'top-left', alt: '' }]);
    expect(await coverOf(visitor(site))).toBe('cover at-top at-left');
    const copied = (await (await ada.post('/api/v1/projects/1/copy/')).json()) as { id: number };
    expect(await focusOf(`/api/v1/projects/${copied.id}/media/1/`)).toBe('top-left');

    const lines = await exportAll(site);
    const other = await siteOn(kind, { dump: lines });
    expect(await exportAll(other)).toEqual(lines);
    const files = `${pagePathOf(1)}files/`;
    expect((await ada.open(files)).fields['focus-1']).toBe('top-left');
    await ada.submit(files, 'Save', { 'focus-1': 'right' });
    expect(await focusOf(`${media}1/`)).toBe('right');
  });

  test('a picture is turned with its focus and in its copies, and nobody gets what it was', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const media = '/api/v1/projects/1/media/';
    await ada.post(
      media,
      form([
        [bytesOf(png(800, 300)), 'roof.png'],
        ['print(1)', 'plan.py'],
      ]),
    );
    await ada.patch(`${media}1/`, { focus: 'left' });
    const copied = (await (await ada.post('/api/v1/projects/1/copy/')).json()) as { id: number };
    const copy = `/api/v1/projects/${copied.id}/media/1/`;
    const read = async (path: string) => {
      const { width, height, focus, url, sizes } = await ada.json<Media>(path);
      return { width, height, focus, url, widths: sizes.map((size) => size.width) };
    };
    const before = await read(`${media}1/`);
    expect(before).toMatchObject({ width: 800, height: 300, focus: 'left', widths: [320, 640, 800] });

    expect((await ada.patch(`${media}1/`, { turn: 90 })).status).toBe(200);
    const turned = await read(`${media}1/`);
    expect(turned).toMatchObject({ width: 300, height: 800, focus: 'top', widths: [300] });
    expect(await read(copy)).toEqual({ ...turned, focus: 'left' });
    expect([(await ada.get(pathOf(before.url))).status, (await ada.get(pathOf(turned.url))).status]).toEqual([
      404, 200,
    ]);

    const refuse = async (path: string, turn: unknown) => {
      const response = await ada.patch(path, { turn });
      return [response.status, await response.json()];
    };
    expect(await refuse(`${media}1/`, 45)).toEqual([400, { turn: ['"45" is not a valid choice.'] }]);
    expect(await refuse(`${media}2/`, 90)).toEqual([400, { turn: ['Only pictures are turned.'] }]);
    expect(await refuse(copy, 90)).toEqual([
      400,
      { turn: ['A picture of a remix is turned in the project that it comes from.'] },
    ]);
    const bob = await person(site, 'bob');
    expect((await bob.patch(`${media}1/`, { turn: 90 })).status).toBe(403);

    const files = `${pagePathOf(1)}files/`;
    const sent = await ada.submit(files, 'Turn roof.webp', { 'alt-1': 'A roof.' });
    expect(sent.headers.get('Location')).toBe(files);
    expect(await ada.json<Media>(`${media}1/`)).toMatchObject({
      width: 800,
      height: 300,
      alt: 'A roof.',
      focus: 'right',
    });
    const { action, body } = (await ada.open(files)).press('Save');
    expect((await ada.send(action, { ...body, turn: '7' })).status).toBe(404);
  });

  test('an upload that is sent twice with one idempotency key is stored once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const photo = bytesOf(await jpeg(50, 50));
    const post = (name: string) =>
      ada.post('/api/v1/projects/?fields=id,media', form([[photo, name]], { title: 'Once' }), {
        'Idempotency-Key': 'once',
      });

    const first = await post('a.jpg');
    expect(first.status).toBe(201);

    const second = await post('a.jpg');
    expect([second.status, await second.json()]).toEqual([201, await first.json()]);

    const different = await post('b.jpg');
    expect(different.status).toBe(422);
    expect(await visitor(site).json('/api/v1/projects/?search=once')).toMatchObject({ count: 1 });
  });

  test('a copy shares the files of its source', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const bob = await person(site, 'bob');
    const photo = bytesOf(await jpeg(400, 300));
    await ada.post('/api/v1/projects/1/media/', form([[photo, 'a.jpg']], { alt: 'Kite' }));
    expect((await readStoredFiles(site)).length).toBe(2);

    const response = await bob.post('/api/v1/projects/1/copy/?fields=id,media');
    const copy = (await response.json()) as { media: Media[] };
    const source = await mediaOf(ada, 1);
    expect(copy.media.map(({ alt, name, url, sizes }) => ({ alt, name, url, sizes }))).toEqual(
      source.map(({ alt, name, url, sizes }) => ({ alt, name, url, sizes })),
    );
    expect((await readStoredFiles(site)).length).toBe(2);
  });

  test('the files of all projects on a page are read by one query', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    for (let index = 0; index < 3; index++)
      await ada.post('/api/v1/projects/', form([['1', '1.txt']], { title: 'So' }));
    const all = site.database.all.bind(site.database);
    let queries = 0;
    site.database.all = (query) => {
      if (query.statement.sql.includes('media')) queries++;
      return all(query);
    };

    const page = await visitor(site).json<{ results: { media: Media[] }[] }>(
      '/api/v1/projects/?include=media',
    );
    expect(page.results.map(({ media }) => media.length)).toEqual([1, 1, 1, 0, 0]);
    expect(queries).toBe(1);

    await visitor(site).get('/api/v1/projects/');
    expect(queries).toBe(1);

    await visitor(site).get('/');
    expect(queries).toBe(2);
  });

  test('the description of a picture follows the rules of every text', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const media = '/api/v1/projects/1/media/';
    await ada.post(media, form([['1', '1.txt']]));

    expect((await ada.patch(`${media}1/`, { alt: 'x'.repeat(1001) })).status).toBe(400);
    expect((await ada.patch(`${media}1/`, { alt: '\0' })).status).toBe(400);
    expect((await ada.patch(`${media}1/`, { alt: null })).status).toBe(400);
    expect((await ada.patch(`${media}1/`, { position: 0 })).status).toBe(400);
    expect((await ada.patch(`${media}1/`, { position: 'x' })).status).toBe(400);

    const moreTexts = await ada.post(media, form([['2', '2.txt']], { alt: ['one', 'two'] }));
    expect([moreTexts.status, await moreTexts.json()]).toEqual([
      400,
      { alt: ['There are more texts than files.'] },
    ]);
  });
});
