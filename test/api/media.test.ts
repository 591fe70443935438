// The files of projects: who brings them, what becomes of them, and what is never taken.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import {
  described,
  jpeg,
  mp4,
  photographer,
  placeInVideo,
  placeInXmp,
  png,
  pngOf,
} from '../support/pictures.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
  contributor(2, 'bob'),
  project(1, { title: 'A kite' }),
  project(2, { content_type: 'comment', parent: 1, contributor: 2 }),
);

interface Shown {
  number: number;
  position: number;
  type: string;
  name: string;
  alt: string;
  url: string;
  width: number | null;
  height: number | null;
  sizes: { url: string; bytes: number; width: number | null; height: number | null }[];
}

type Part = readonly [content: Uint8Array<ArrayBuffer> | string, name: string, type?: string];

function form(files: readonly Part[], fields: Record<string, string | string[]> = {}): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of [value].flat()) made.append(name, each);
  }
  for (const [content, name, type] of files) made.append('file', new Blob([content], { type }), name);
  return made;
}

const bytesOf = (picture: Buffer) => new Uint8Array(picture);

async function send(
  site: Site,
  path: string,
  who: string,
  body: FormData,
  more: Record<string, string> = {},
) {
  return site.request(path, { method: 'POST', headers: { ...(await site.key(who)), ...more }, body });
}

async function patch(site: Site, path: string, sent: object) {
  const headers = { ...(await site.key('ada')), 'Content-Type': 'application/json' };
  return site.request(path, { method: 'PATCH', headers, body: JSON.stringify(sent) });
}

const pathOf = (url: string) => url.replace('http://gallery.example', '');

async function mediaOf(site: Site, id: number): Promise<Shown[]> {
  return (await site.json(`/api/v1/projects/${id}/media/`)) as Shown[];
}

/** The bytes of everything that is kept. */
async function kept(site: Site): Promise<Buffer[]> {
  const files = [...new Bun.Glob('**').scanSync(site.folder)];
  return Promise.all(
    files.map(async (file) => Buffer.from(await Bun.file(`${site.folder}/${file}`).bytes())),
  );
}

onBothDatabases((kind) => {
  test('a photo is stored with its new project, upright, in the sizes that pages show', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const photo = described(await jpeg(1500, 1000), 6);
    const body = form([[bytesOf(photo), 'Kite at the beach.JPG']], {
      title: 'Kite',
      content_type: 'photo',
      alt: 'A red kite over the sea',
    });
    const response = await send(site, '/api/v1/projects/?include=media&fields=id,title,media', 'ada', body);
    const record = (await response.json()) as { id: number; title: string; media: Shown[] };
    const read = await site.json('/api/v1/projects/3/?fields=media');
    const listed = (await site.json('/api/v1/projects/?contributor=ada&fields=id,media')) as {
      results: object[];
    };
    const [media] = record.media;

    expect([response.status, record.id, record.title]).toEqual([201, 3, 'Kite']);
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
    expect(read).toEqual({ media: record.media });
    expect(listed.results).toEqual([
      { id: 3, media: record.media },
      { id: 1, media: [] },
    ]);
  });

  test('the metadata of a photo or video is not stored', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const photo = described(await jpeg(700, 500), 1);
    const answer = await send(
      ...([site, '/api/v1/projects/1/media/', 'ada'] as const),
      form([
        [bytesOf(photo), 'a.jpg'],
        [bytesOf(mp4()), 'a.mp4'],
      ]),
    );
    const all = Buffer.concat(await kept(site));

    expect(answer.status).toBe(201);
    for (const secret of [photographer, placeInXmp, placeInVideo]) {
      expect(Buffer.concat([photo, mp4()]).includes(secret)).toBe(true);
      expect(all.includes(secret)).toBe(false);
    }
    for (const sign of ['Exif', 'EXIF', 'XMP ', 'xmpmeta']) expect(all.includes(sign)).toBe(false);
    expect(all.includes('frames')).toBe(true);
  });

  test('the type of a file comes from its content, not from its name or its sender', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zip = `PK\x03\x04${'\0'.repeat(22)}`;
    const sent: Part[] = [
      [bytesOf(png(4, 4)), '../../etc/passwd', 'text/html'],
      ['<script>alert(1)</script>', 'page.html', 'text/html'],
      ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'drawing.svg', 'image/svg+xml'],
      ['%PDF-1.7 and more', 'C:\\papers\\plan.exe', 'image/png'],
      [`${zip}[Content_Types].xml word/document.xml`, 'letter.zip'],
      [`${zip}mimetypeapplication/epub+zipPK`, 'book'],
      [`${zip}project.json`, 'cat\u202egpj.sb3'],
    ];
    const response = await send(site, '/api/v1/projects/1/media/', 'ada', form(sent));
    const media = (await response.json()) as Shown[];
    const served = await Promise.all(media.map(({ url }) => site.get(pathOf(url))));

    expect(media.map(({ type, name }) => [type.split(/[/.]/).at(-1), name])).toEqual([
      ['webp', 'passwd.webp'],
      ['plain', 'page.html.txt'],
      ['plain', 'drawing.svg.txt'],
      ['pdf', 'plan.exe.pdf'],
      ['document', 'letter.zip.docx'],
      ['epub+zip', 'book.epub'],
      ['zip', 'cat gpj.sb3.zip'],
    ]);
    for (const [index, { headers }] of served.entries()) {
      expect([headers.get('X-Content-Type-Options'), headers.get('Content-Security-Policy')]).toEqual([
        'nosniff',
        "default-src 'none'; sandbox",
      ]);
      expect(headers.get('Content-Disposition')?.split(';')[0]).toBe(index === 0 ? undefined : 'attachment');
    }
    expect(served[1]?.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
  });

  test('bytes after the end of a picture are not stored', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const polyglot = Buffer.concat([await jpeg(40, 40), Buffer.from('PK\x03\x04<script>alert(1)</script>')]);
    const response = await send(
      site,
      '/api/v1/projects/1/media/',
      'ada',
      form([[bytesOf(polyglot), 'a.jpg']]),
    );
    const all = Buffer.concat(await kept(site));

    expect(response.status).toBe(201);
    expect([all.includes('script'), all.includes('PK\x03\x04')]).toEqual([false, false]);
  });

  test('an unacceptable file is refused with a message, and nothing is created', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const whole = await jpeg(600, 400);
    const wrong: [Part, RegExp][] = [
      [['', 'empty.jpg'], /^The submitted file is empty\.$/],
      [['\0\x01\x02\x03', 'a.jpg'], /^This kind of file is not taken\. Send a picture/],
      [['MZ\x90\0', 'setup.pdf'], /^This kind of file is not taken/],
      [[bytesOf(whole.subarray(0, whole.length >> 1)), 'a.jpg'], /^This picture is broken or cut off\.$/],
      [[bytesOf(png(90, 90).subarray(0, 300)), 'a.png'], /^This picture is broken or cut off\.$/],
      [
        [bytesOf(pngOf(30_000, 30_000, Buffer.alloc(20))), 'bomb.png'],
        /^Send a picture of at most 50 megapixels\.$/,
      ],
      [['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'a.heic'], /^HEIC and AVIF pictures cannot be read here/],
      [['PK\x03\x04 word/vbaProject.bin', 'a.docm'], /^Documents with macros are not taken\.$/],
    ];
    const before = await site.json('/api/v1/projects/');
    const heard: [number, string][] = [];
    for (const [part] of wrong) {
      const body = form([part], { title: 'So' });
      const response = await send(site, '/api/v1/projects/', 'ada', body);
      heard.push([response.status, ((await response.json()) as { file: [string] }).file[0]]);
    }
    const after = await site.json('/api/v1/projects/');

    expect(heard).toEqual(wrong.map(([, sentence]) => [400, expect.stringMatching(sentence)]));
    expect(after).toEqual(before);
  });

  test('the errors of several files are all reported, and none is stored', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const body = form([
      ['Notes.', 'notes.txt'],
      ['\0', 'one'],
      ['', 'two'],
    ]);
    const response = await send(site, '/api/v1/projects/1/media/', 'ada', body);
    const media = await mediaOf(site, 1);

    expect([response.status, await response.json()]).toEqual([
      400,
      { file: [expect.stringMatching(/^one: This kind of file/), 'two: The submitted file is empty.'] },
    ]);
    expect(media).toEqual([]);
  });

  test('a form without a chosen file creates a project without files', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const boundary = { 'Content-Type': 'multipart/form-data; boundary=edge' };
    const headers = { ...(await site.key('ada')), ...boundary };
    const part = (name: string, more: string) =>
      `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    const nothing = `${part('file', '; filename=""\r\nContent-Type: application/octet-stream')}\r\n--edge--\r\n`;
    const post = (path: string, body: string) => site.request(path, { method: 'POST', headers, body });
    const made = await post('/api/v1/projects/?fields=title,media', `${part('title', '')}So\r\n${nothing}`);
    const added = await post('/api/v1/projects/1/media/', nothing);

    expect([made.status, await made.json()]).toEqual([201, { title: 'So', media: [] }]);
    expect([added.status, await added.json()]).toEqual([400, { file: ['No file was submitted.'] }]);
  });

  test('a project has ten files at most, and a comment none', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const some = (count: number) =>
      form(Array.from({ length: count }, (_, index): Part => [`${index}`, `${index}.txt`]));
    const statuses: number[] = [];
    for (const count of [11, 9, 2, 1])
      statuses.push((await send(site, '/api/v1/projects/1/media/', 'ada', some(count))).status);
    const comment = await send(site, '/api/v1/projects/2/media/', 'bob', some(1));
    const media = await mediaOf(site, 1);

    expect(statuses).toEqual([400, 201, 400, 201]);
    expect([comment.status, await comment.json()]).toEqual([400, { file: ['A comment has no files.'] }]);
    expect(media.length).toBe(10);
  });

  test('files are moved, described and deleted, and each of these changes the project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const key = await site.key('ada');
    const record = '/api/v1/projects/1/?include=media&fields=modified,media';
    const names = async () =>
      ((await (await site.get(record)).json()) as { media: Shown[] }).media.map(({ number, position, alt }) =>
        `${number}@${position} ${alt}`.trim(),
      );
    const steps: unknown[] = [await names()];
    const tags = [(await site.get(record)).headers.get('ETag')];
    const step = async (work: Promise<Response>) => {
      const response = await work;
      await Bun.sleep(site.database.maxStalenessMs);
      steps.push([response.status, await names()]);
      tags.push((await site.get(record)).headers.get('ETag'));
    };
    const three = form(
      [
        ['1', '1.txt'],
        ['2', '2.txt'],
        ['3', '3.txt'],
      ],
      { alt: ['one', 'two'] },
    );
    await step(send(site, '/api/v1/projects/1/media/', 'ada', three));
    await step(patch(site, '/api/v1/projects/1/media/3/', { position: 1, alt: 'three' }));
    await step(patch(site, '/api/v1/projects/1/media/3/', { position: 9 }));
    await step(site.request('/api/v1/projects/1/media/1/', { method: 'DELETE', headers: key }));
    await step(patch(site, '/api/v1/projects/1/media/1/', { alt: 'gone' }));
    const stale = await site.request('/api/v1/projects/1/media/2/', {
      method: 'DELETE',
      headers: { ...key, 'If-Match': tags[0] ?? '' },
    });
    const changes = (await site.json('/api/v1/changes/?since=4')) as { results?: unknown; changes?: unknown };

    expect(steps).toEqual([
      [],
      [201, ['1@1 one', '2@2 two', '3@3']],
      [200, ['3@1 three', '1@2 one', '2@3 two']],
      [400, ['3@1 three', '1@2 one', '2@3 two']],
      [204, ['3@1 three', '2@2 two']],
      [404, ['3@1 three', '2@2 two']],
    ]);
    expect(new Set(tags).size).toBe(4);
    expect(stale.status).toBe(412);
    expect(JSON.stringify(changes).match(/"changed"/g)?.length).toBe(3);
  });

  test('an upload that is sent twice with one idempotency key is stored once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const more = { 'Idempotency-Key': 'once' };
    const photo = bytesOf(await jpeg(50, 50));
    const post = (name: string) =>
      send(site, '/api/v1/projects/?fields=id,media', 'ada', form([[photo, name]], { title: 'Once' }), more);
    const [first, again, other] = [await post('a.jpg'), await post('a.jpg'), await post('b.jpg')];
    const { count } = (await site.json('/api/v1/projects/?search=once')) as { count: number };

    expect([first.status, again.status, other.status]).toEqual([201, 201, 422]);
    expect(await again.json()).toEqual(await first.json());
    expect(count).toBe(1);
  });

  test('a copy shares the files of its source', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await send(
      site,
      '/api/v1/projects/1/media/',
      'ada',
      form([[bytesOf(await jpeg(400, 300)), 'a.jpg']], { alt: 'Kite' }),
    );
    const before = (await kept(site)).length;
    const copy = await site.request('/api/v1/projects/1/copy/?fields=id,media', {
      method: 'POST',
      headers: await site.key('bob'),
    });
    const [source, made] = [await mediaOf(site, 1), (await copy.json()) as { media: Shown[] }];
    const after = (await kept(site)).length;

    expect(made.media.map(({ alt, name, url, sizes }) => ({ alt, name, url, sizes }))).toEqual(
      source.map(({ alt, name, url, sizes }) => ({ alt, name, url, sizes })),
    );
    expect([before, after]).toEqual([2, 2]);
  });

  test('the files of all records on a page are read by one query', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const one = form([['1', '1.txt']], { title: 'So' });
    for (const _ of [1, 2, 3]) await send(site, '/api/v1/projects/', 'ada', one);
    const all = site.database.all.bind(site.database);
    let lookUps = 0;
    site.database.all = (query) => {
      if (query.sql.includes('media')) lookUps++;
      return all(query);
    };
    const page = (await site.json('/api/v1/projects/?include=media')) as { results: { media: Shown[] }[] };
    await site.get('/api/v1/projects/');
    const counted = [lookUps];
    await site.get('/');
    counted.push(lookUps);

    expect(page.results.map(({ media }) => media.length)).toEqual([1, 1, 1, 0, 0]);
    expect(counted).toEqual([1, 2]);
  });

  test('the description of a picture follows the rules of every text', async () => {
    const site = await siteOn(kind, { dump: gallery });
    await send(site, '/api/v1/projects/1/media/', 'ada', form([['1', '1.txt']]));
    const wrong = [
      { alt: 'x'.repeat(1001) },
      { alt: '\0' },
      { alt: null },
      { position: 0 },
      { position: 'x' },
    ];
    const heard = await Promise.all(wrong.map((sent) => patch(site, '/api/v1/projects/1/media/1/', sent)));
    const more = form([['2', '2.txt']], { alt: ['one', 'two'] });
    const tooMany = await send(site, '/api/v1/projects/1/media/', 'ada', more);

    expect(heard.map(({ status }) => status)).toEqual(wrong.map(() => 400));
    expect([tooMany.status, await tooMany.json()]).toEqual([
      400,
      { alt: ['There are more texts than files.'] },
    ]);
  });
});
