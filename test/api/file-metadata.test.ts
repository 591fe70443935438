// Information about people in files is not stored, and documents that cannot be read safely are refused.

import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { unzipSync } from 'fflate';
import { onBothDatabases } from '../support/databases.ts';
import { contentTypes, numbers, objectStream, pdf, stream, wordParts, zip } from '../support/documents.ts';
import { type Person, person } from '../support/person.ts';
import {
  jpeg,
  locationInXmp,
  photographer,
  png,
  pngWithHeader,
  screenProfile,
  withColorProfile,
  withMetadata,
} from '../support/pictures.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1));
const tinyJpeg = await jpeg(8, 8);
const secret = 'Ada Lovelace, 12 St James Square';
const former = 'Ada Byron';

interface Upload {
  readonly status: number;
  readonly type: string;
  readonly stored: Buffer;
  readonly problem: unknown;
}

/** Uploads a file and returns what the server gives back for its address. */
async function upload(owner: Person, content: Uint8Array<ArrayBuffer> | Buffer, name = 'a'): Promise<Upload> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)]), name);
  const response = await owner.post('/api/v1/projects/1/media/', form);
  const body = await response.json();
  if (response.status !== 201)
    return { status: response.status, type: '', stored: Buffer.alloc(0), problem: body };
  const { url, type } = (body as { url: string; type: string }[]).at(-1) ?? { url: '', type: '' };
  const file = await owner.get(url.replace('http://gallery.example', ''));
  return { status: 201, type, stored: Buffer.from(await file.arrayBuffer()), problem: undefined };
}

/** The entries of an archive that was stored, read by another implementation. */
function unzip(bytes: Buffer): Record<string, Buffer> {
  return Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, data]) => [name, Buffer.from(data)]),
  );
}

onBothDatabases((kind) => {
  test('a Word document keeps its text and its pictures, and nothing about its author', async () => {
    const ada = await person(await siteOn(kind, { dump: gallery }), 'ada');
    const photo = withMetadata(await jpeg(60, 40), 1);
    const inner = zip({ ...wordParts(), 'docProps/core.xml': secret });
    const sent = zip({
      ...wordParts('<w:document>The text</w:document>', [
        ['r1', 'image', 'media/image1.jpeg'],
        ['r2', 'package', 'embeddings/inner.docx'],
      ]),
      'docProps/core.xml': `<dc:creator>${secret}</dc:creator>`,
      'docProps/app.xml': `<Company>${secret}</Company>`,
      'word/media/image1.jpeg': photo,
      'word/embeddings/inner.docx': Buffer.from(inner),
    });
    const { type, stored } = await upload(ada, sent, 'letter.docx');
    expect(type).toBe('application/vnd.openxmlformats-officedocument.wordprocessingml.document');
    const entries = unzip(stored);
    expect(entries['word/document.xml']?.toString()).toBe('<w:document>The text</w:document>');
    const picture = entries['word/media/image1.jpeg'] ?? Buffer.alloc(0);
    expect((await new Bun.Image(picture).metadata()).width).toBe(60);
    const embedded = unzip(entries['word/embeddings/inner.docx'] ?? Buffer.alloc(0));
    const all = Buffer.concat([...Object.values(entries), ...Object.values(embedded), stored]);
    for (const text of [secret, photographer, locationInXmp, 'comment of an archive'])
      expect([text, all.includes(text)]).toEqual([text, false]);
    expect(Object.keys(entries)).toHaveLength(6);
    expect(entries['docProps/core.xml']).toBeUndefined();
  });

  test('an OpenDocument text and an EPUB keep their content and lose their author', async () => {
    const ada = await person(await siteOn(kind, { dump: gallery }), 'ada');
    const text = await upload(
      ada,
      zip({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml': 'The text',
        'meta.xml': `<dc:creator>${secret}</dc:creator>`,
      }),
    );
    expect(text.type).toBe('application/vnd.oasis.opendocument.text');
    const textEntries = unzip(text.stored);
    expect(textEntries['content.xml']?.toString()).toBe('The text');
    expect(Object.keys(textEntries)).toEqual(['mimetype', 'content.xml']);

    const book = await upload(
      ada,
      zip({
        mimetype: 'application/epub+zip',
        'OEBPS/content.opf': `<metadata><dc:title>Kites</dc:title><dc:creator id="a">${secret}</dc:creator><meta refines="#a" property="file-as">${secret}</meta></metadata>`,
      }),
    );
    expect(book.type).toBe('application/epub+zip');
    expect(unzip(book.stored)['OEBPS/content.opf']?.toString()).toBe(
      '<metadata><dc:title>Kites</dc:title></metadata>',
    );
  });

  test('a PDF keeps its pages and loses its author, its XMP and the metadata of its photos', async () => {
    const ada = await person(await siteOn(kind, { dump: gallery }), 'ada');
    const photo = withMetadata(await jpeg(60, 40), 1);
    const sent = pdf(
      [
        '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Resources<</XObject<</A 6 0 R>>>>>>',
        stream('/Type/Metadata/Subtype/XML', Buffer.from(`<x>${secret}</x>`)),
        `<</Author(${secret})/Title(${secret})>>`,
        stream('/Type/XObject/Subtype/Image/Width 60/Height 40/Filter/DCTDecode', photo),
        // The author of an earlier version, which nothing refers to any more.
        `<</Author(${former})>>`,
      ],
      '/Info 5 0 R',
    );
    const { type, stored } = await upload(ada, sent, 'plan.pdf');
    expect(type).toBe('application/pdf');
    for (const text of [secret, photographer, locationInXmp])
      expect([text, stored.includes(text)]).toEqual([text, false]);
    const read = await PDFDocument.load(stored, { updateMetadata: false });
    const objects = read.context.enumerateIndirectObjects().map(([, object]) => object.toString());
    expect(objects.join()).not.toContain(former);
    expect(objects.join()).toContain('/DCTDecode');
    expect([read.getPageCount(), read.getPage(0).getWidth(), read.getAuthor(), read.getTitle()]).toEqual([
      1,
      200,
      undefined,
      undefined,
    ]);
  });

  test('a ZIP archive stays as it is', async () => {
    const ada = await person(await siteOn(kind, { dump: gallery }), 'ada');
    const sent = zip({ 'project.json': secret });
    const { type, stored } = await upload(ada, sent);
    expect([type, stored.equals(Buffer.from(sent))]).toEqual(['application/zip', true]);
  });

  test('documents with macros, passwords, too much content or errors are refused', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const word = wordParts('<w/>', [
      ['r1', 'image', 'media/a.png'],
      ['r2', 'package', 'embeddings/a.docx'],
      ['r3', 'font', 'stored.ttf'],
    ]);
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`word/${index}.xml`, '']));
    let nested = zip(word);
    for (let depth = 0; depth < 4; depth++)
      nested = zip({ ...word, 'word/embeddings/a.docx': Buffer.from(nested) });
    const half = Buffer.alloc(25_000_001);
    const large = zip({ 'word/stored.ttf': half, ...word, 'word/media/a.png': pngWithHeader(1, 1, half) });
    const catalog = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'];
    const cases: [Uint8Array<ArrayBuffer>, RegExp][] = [
      [
        zip({
          ...word,
          '[Content_Types].xml': contentTypes(
            'word/document.xml',
            'application/vnd.ms-word.document.macroEnabled.main+xml',
          ),
        }),
        /^Documents with macros are not taken/,
      ],
      [zip({ ...word, 'word/vbaProject.bin': 'x' }), /^Documents with macros/],
      [
        zip({
          ...word,
          '[Content_Types].xml': contentTypes('word/document.xml', 'application/vnd.ms-office.vbaProject'),
          'word/a.bin': 'x',
        }),
        /^Documents with macros/,
      ],
      [
        zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'Basic/Standard/Module1.xml': 'x' }),
        /^Documents with macros/,
      ],
      [
        zip(
          { mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': 'x' },
          { isEncrypted: false, declaredSize: 4_000_000_000 },
        ),
        /^This document contains too much/,
      ],
      [zip({ ...word, ...many }), /^This document contains too much/],
      [zip({ ...word, 'word/media/a.png': Buffer.alloc(50_000_001) }), /^This document contains too much/],
      [zip({ ...word, 'word/embeddings/a.docx': Buffer.from(large) }), /^This document contains too much/],
      [zip({ ...word, 'word/media/a.png': 'x'.repeat(100) }, { declaredSize: 99 }), /^This file is broken/],
      [nested, /^This document contains too many documents/],
      [zip(word).slice(0, -60), /^This file is broken or cut off/],
      [pdf([]), /^This PDF is broken/],
      [pdf(catalog, '/Encrypt<</Filter/Standard/V 1>>'), /^This PDF is encrypted/],
      [pdf([...catalog, objectStream(50_000_001)]), /^This PDF is broken/],
      [pdfWithPictures(Array.from({ length: 3 }, () => Buffer.alloc(20_000_000))), /^This PDF is broken/],
      [
        glb('{"asset":{"version":"2.0"},"extensionsUsed":5,"images":[null,{"bufferView":"x"}]'),
        /^This file is broken/,
      ],
      [glb(`[${'['.repeat(200_000)}`), /^This file is broken/],
      [glb(`{"a":[${'0,'.repeat(600_000)}0]}`), /^This file is broken/],
    ];
    for (const [index, [content, message]] of cases.entries()) {
      const { status, problem } = await upload(ada, content);
      expect([index, status, problem]).toEqual([index, 400, { file: [expect.stringMatching(message)] }]);
    }
    const capitals = { '[CONTENT_TYPES].XML': '<Types/>' };
    for (const name of ['letter.docx', 'Sums.XLSX', 'talk.pptx', 'book.epub']) {
      const archive = zip({ ...capitals, 'docProps/core.xml': '<dc:creator>Ada</dc:creator>' });
      expect(await upload(ada, archive, name)).toMatchObject({
        status: 400,
        problem: { file: ['The name says that this is a document, but it is not one that can be read.'] },
      });
    }
    expect(site.logged.filter((line) => line.includes('fault'))).toEqual([]);
  });
});

test('a picture keeps the colours of its profile, and no texts of it', async () => {
  const owner = await person(await siteOn('SQLite', { dump: gallery }), 'ada');
  const { type, stored } = await upload(
    owner,
    withColorProfile(png(40, 30), screenProfile(Buffer.from(secret))),
  );
  expect([type, stored.toString('latin1', 8, 16), stored.includes('ICCP')]).toEqual([
    'image/webp',
    'WEBPVP8X',
    true,
  ]);
  expect([stored.includes(secret), stored.includes(numbers(30_001, 20_000, 10_000))]).toEqual([false, true]);
});

/** Pictures that are compressed once more, and become larger again than any reader needs. */
function pdfWithPictures(contents: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const names = contents.map((_, index) => `/P${index} ${index + 4} 0 R`).join('');
  return pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<<${names}>>>>>>`,
    ...contents.map((content) =>
      stream(
        '/Type/XObject/Subtype/Image/Filter[/FlateDecode/DCTDecode]',
        deflateSync(Buffer.concat([tinyJpeg, content])),
      ),
    ),
  ]);
}

/** A model with this scene, whose length is rounded up. */
function glb(scene: string): Uint8Array<ArrayBuffer> {
  const json = Buffer.from(scene.padEnd(Math.max(80, Math.ceil(scene.length / 4) * 4)));
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0\0\0\0\0JSON', 'latin1');
  head.writeUInt32LE(20 + json.length, 8);
  head.writeUInt32LE(json.length, 12);
  return new Uint8Array(Buffer.concat([head, json]));
}
