// Files hide names, places and times in many places. A table of such files: none of them has what is marked when it is cleaned, and
// all keep what is seen and heard.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { unzipSync } from 'fflate';
import {
  box,
  contentTypes,
  numbers,
  oggPage,
  pdf,
  type Relation,
  relations,
  stream,
  webmElement,
  wordParts,
  zip,
} from '../../../test/support/documents.ts';
import {
  jpeg,
  locationInXmp,
  photographer,
  png,
  screenProfile,
  withColorProfile,
  withMetadata,
} from '../../../test/support/pictures.ts';
import { detectType } from '../src/detect.ts';
import { cleanFile, InvalidFile } from '../src/index.ts';

const samples = join(import.meta.dir, '../../../test/support/samples');
const sample = async (name: string) => Buffer.from(await Bun.file(join(samples, name)).bytes());
const secret = 'AdaLovelace';
const marked = Buffer.from(`at home: ${secret}, 51.50 N`);

/** The cleaned file, whose type is found out as that of an upload. */
async function clean(content: Uint8Array, name: string): Promise<Buffer> {
  const type = await detectType(content);
  if (!type) throw new Error(`the type of ${name} is not known`);
  const { bytes } = await cleanFile({ type, bytes: new Uint8Array(content), name });
  return Buffer.from(bytes);
}

/** The code of the problem. */
const problemOf = (content: Uint8Array, name: string): Promise<unknown> =>
  clean(content, name).then(
    () => undefined,
    (error) => (error instanceof InvalidFile ? error.code : error),
  );

/** All that is in a file: the entries of an archive and the objects of a PDF, which may be compressed. */
async function contentOf(bytes: Buffer): Promise<Buffer> {
  if (bytes.toString('latin1', 0, 5) === '%PDF-') {
    const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
    return Buffer.concat([bytes, Buffer.from(context.enumerateIndirectObjects().join())]);
  }
  if (bytes.toString('latin1', 0, 2) !== 'PK') return bytes;
  const entries = Object.entries(unzipSync(bytes)).map(async ([name, data]) =>
    Buffer.concat([Buffer.from(name), await contentOf(Buffer.from(data))]),
  );
  return Buffer.concat([bytes, ...(await Promise.all(entries))]);
}

type Case = readonly [name: string, sent: Uint8Array, keeps?: string | Buffer];

async function expectCleaned(ending: string, cases: readonly Case[]): Promise<void> {
  for (const [name, sent, keeps] of cases) {
    const bytes = await clean(sent, `a.${ending}`);
    const content = await contentOf(bytes);
    const before = await contentOf(Buffer.from(sent));
    expect([name, before.includes(secret), content.includes(secret)]).toEqual([name, true, false]);
    if (keeps !== undefined) expect([name, content.includes(keeps)]).toEqual([name, true]);
    // The same file again is the same: nothing is taken out twice.
    const again = await clean(bytes, `a.${ending}`);
    expect([name, again.equals(bytes)]).toEqual([name, true]);
  }
}

/** The file with more content at the end of a box, for which the boxes around it grow. */
function insertIn(file: Buffer, path: readonly string[], content: Buffer): Buffer {
  let [at, end] = [0, file.length];
  const grown = Buffer.from(file);
  for (const type of path) {
    while (file.toString('latin1', at + 4, at + 8) !== type) at += file.readUInt32BE(at);
    end = at + file.readUInt32BE(at);
    grown.writeUInt32BE(end - at + content.length, at);
    at += 8;
  }
  return Buffer.concat([grown.subarray(0, end), content, grown.subarray(end)]);
}

function replaceIn(file: Buffer, before: string, after: string): Buffer {
  const replaced = Buffer.from(file);
  replaced.write(after, file.indexOf(before, 0, 'latin1'), 'latin1');
  expect(replaced.equals(file)).toBe(false);
  return replaced;
}

/** Some bytes of the first picture. */
const pictureIn = (file: Buffer, at = 900) => {
  const media = file.indexOf('mdat', 0, 'latin1');
  return file.subarray(media + at, media + at + 60);
};

const fullBox = (type: string, ...content: Buffer[]) => box(type, numbers(0), ...content);

test('the name of an encoder is taken out of pictures and sounds, which stay the same', async () => {
  const sent = await sample('mpeg4.mp4');
  const inPictures = Buffer.from(sent);
  const userData = Buffer.from('\0\0\x01\xb2Lavc59', 'latin1');
  for (let at = sent.indexOf(userData); at >= 0; at = sent.indexOf(userData, at + 1))
    inPictures.write(secret, at + 4);
  const count = (file: Buffer, text: string) => file.toString('latin1').split(text).length - 1;
  // In the settings of the decoder; in the first sample of the sound, and in the entry of the format.
  expect([count(inPictures, secret), count(inPictures, 'Lavc')]).toEqual([1, 2]);

  const bytes = await clean(inPictures, 'a.mp4');
  expect([bytes.includes('Lavc'), bytes.includes(secret)]).toEqual([false, false]);
  const changed = [...bytes].filter((byte, at) => byte !== sent[at] && byte !== 0 && byte !== 0x20);
  const start = sent.indexOf('mdat');
  expect(bytes.subarray(start + 100, start + 200).equals(sent.subarray(start + 100, start + 200))).toBe(true);
  expect(changed.length).toBeLessThan(10);
});

test('an MP4, a QuickTime file or a sound in one has only what is played', async () => {
  const [mp4, fragments, mov] = [await sample('a.mp4'), await sample('fragments.mp4'), await sample('a.mov')];
  const sound = replaceIn(mp4, 'isom', 'M4A ');
  const behind = (...boxes: Buffer[]) => Buffer.concat([mp4, ...boxes]);
  const inMovie = (content: Buffer) => insertIn(mp4, ['moov'], content);
  const track = ['moov', 'trak'];
  const cases: Case[] = [
    ['the place of a dashcam', behind(box('gps ', marked)), pictureIn(mp4)],
    ['a free box', behind(box('free', marked))],
    ['a skipped box', behind(box('skip', marked))],
    ['a wide box', behind(box('wide', marked))],
    ['an unknown box', behind(box('abcd', marked))],
    ['bytes behind the last box', behind(marked)],
    ['an unknown box in the movie', inMovie(box('GPMF', marked))],
    ['user data', inMovie(box('udta', box('\xa9xyz', marked)))],
    ['metadata of QuickTime', inMovie(fullBox('meta', marked))],
    ['an identifier of a program', inMovie(box('uuid', marked))],
    ['user data of a track', insertIn(mp4, track, box('udta', marked))],
    ['user data of fragments', insertIn(fragments, ['moov', 'mvex'], box('udta', marked))],
    ['bytes that belong to no track', insertIn(mp4, ['mdat'], marked), pictureIn(mp4)],
    ['the name of a handler', replaceIn(mp4, 'VideoHandler', secret)],
    ['the name of a compressor', replaceIn(mp4, 'Lavc59.37.100 libx264', secret)],
    ['a note between pictures', replaceIn(mp4, 'x264 - core 164', secret)],
    [
      'a path of the media',
      insertIn(mp4, [...track, 'mdia', 'minf', 'dinf', 'dref'], fullBox('alis', marked)),
    ],
    ['bytes behind a table', insertIn(mp4, [...track, 'mdia', 'minf', 'stbl', 'stts'], marked)],
    [
      'a colour profile',
      insertIn(mp4, [...track, 'mdia', 'minf', 'stbl'], box('colr', Buffer.from('prof'), marked)),
    ],
    ['a sound', insertIn(sound, ['moov'], box('udta', marked))],
    ['a QuickTime file', insertIn(mov, ['moov'], box('udta', marked)), pictureIn(mov)],
  ];
  await expectCleaned('mp4', cases);
});

test('tracks that only programs read lose their samples, in fragments too', async () => {
  for (const name of ['a.mp4', 'fragments.mp4']) {
    const whole = await sample(name);
    const bytes = await clean(whole, 'a.mp4');
    // The last samples are sounds.
    const lastBox =
      name === 'a.mp4' ? whole.indexOf('moov', 0, 'latin1') - 4 : whole.indexOf('mfra', 0, 'latin1') - 4;
    const samples = whole.subarray(lastBox - 40, lastBox);
    expect([name, bytes.includes(samples)]).toEqual([name, true]);
    const hidden = await clean(replaceIn(whole, 'soun', 'meta'), 'b.mp4');
    expect([name, hidden.includes(samples)]).toEqual([name, false]);
    expect(hidden.includes(pictureIn(whole, name === 'a.mp4' ? 900 : 650))).toBe(true);
  }
  const moved = replaceIn(await sample('a.mp4'), 'avc1', 'abcd');
  const first = moved.indexOf('avc1', moved.indexOf('stsd', 0, 'latin1'), 'latin1');
  moved.write('abcd', first, 'latin1');
  expect(await problemOf(moved, 'a.mp4')).toBe('unknownPart');
  const depth = 200_000;
  const nested = Array.from({ length: depth }, (_, level) => {
    const head = box('moov');
    head.writeUInt32BE(8 * (depth - level));
    return head;
  });
  const start = box('ftyp', Buffer.from('isom\0\0\0\0'));
  expect(await problemOf(Buffer.concat([start, ...nested]), 'a.mp4')).toBe('brokenFile');
  const cut = (await sample('a.mp4')).subarray(0, 1500);
  expect(await problemOf(cut, 'a.mp4')).toBe('brokenFile');
});

test('a WebM file has only what is played', async () => {
  const webm = await sample('a.webm');
  // The length of the segment stands in the eight bytes behind its name.
  const segment = webm.indexOf('18538067', 0, 'hex') + 4;
  const within = (...elements: Buffer[]) => {
    const content = Buffer.concat(elements);
    const grown = Buffer.concat([webm, content]);
    grown.writeUIntBE(grown.readUIntBE(segment + 2, 6) + content.length, segment + 2, 6);
    return grown;
  };
  const frames = webm.subarray(3000, 3100);
  const text = (id: string) => webmElement(id, marked);
  const metadataTrack = Buffer.concat([
    webmElement('d7', Buffer.from([7])),
    webmElement('83', Buffer.from([0x21])),
  ]);
  await expectCleaned('webm', [
    ['chapters', within(webmElement('1043a770', webmElement('45b9', text('53ab')))), frames],
    ['tags', within(text('1254c367'))],
    ['attachments', within(text('1941a469'))],
    ['a Void element', within(text('ec'))],
    ['an unknown element', within(text('4fff'))],
    ['a title', within(webmElement('1549a966', Buffer.concat([text('7ba9'), text('5741'), text('7384')])))],
    [
      'the name of a codec',
      within(
        webmElement(
          '1654ae6b',
          webmElement(
            'ae',
            Buffer.concat([
              webmElement('d7', Buffer.from([1])),
              webmElement('83', Buffer.from([1])),
              text('258688'),
              text('536e'),
            ]),
          ),
        ),
      ),
    ],
    [
      'a metadata track',
      within(
        webmElement('1654ae6b', webmElement('ae', metadataTrack)),
        webmElement('1f43b675', webmElement('a3', Buffer.concat([Buffer.from([0x87, 0, 0, 0x80]), marked]))),
      ),
    ],
    ['bytes behind', Buffer.concat([webm, text('ec')])],
    ['comments of Vorbis', replaceIn(webm, 'Lavc59.37.100 libvorbis', secret), frames],
  ]);
});

test('an Ogg file has only what is played, and empty comments', async () => {
  const ogg = await sample('a.ogg');
  const other = (packet: Buffer, kind: number, serial: number) => {
    const page = oggPage(packet);
    page[5] = kind;
    page.writeUInt32LE(serial, 14);
    return page;
  };
  const ofLength = (text: string) => Buffer.concat([numbers(text.length).swap32(), Buffer.from(text)]);
  const comments = (more = '') =>
    Buffer.concat([
      Buffer.from('OpusTags'),
      ofLength('x'),
      numbers(1).swap32(),
      ofLength(`A=${secret}`),
      Buffer.from(more),
    ]);
  const head = Buffer.from('OpusHead\x01\x01\0\0\x80\x3e\0\0\0\0\0', 'latin1');
  const texts = [other(Buffer.from('\x80kate\0\0\0'), 2, 7), other(marked, 0, 7)];
  const song = (serial: number) => [
    other(head, 2, serial),
    other(comments(), 0, serial),
    other(Buffer.from('the sound'), 4, serial),
  ];
  await expectCleaned('ogg', [
    ['comments', Buffer.concat(song(1)), 'the sound'],
    ['bytes behind the comments', Buffer.concat([other(head, 2, 1), other(comments(secret), 0, 1)])],
    ['a stream of texts', Buffer.concat([ogg, ...texts]), ogg.subarray(-200)],
    ['another song behind', Buffer.concat([...song(1), ...song(2), ...song(1)]), 'the sound'],
    ['bytes behind the pages', Buffer.concat([ogg, marked]), ogg.subarray(-200)],
  ]);
});

test('FLAC, MP3 and WAV have only what is played', async () => {
  const [flac, mp3] = [await sample('a.flac'), await sample('a.mp3')];
  const id3v1 = Buffer.concat([Buffer.from('TAG'), marked, Buffer.alloc(125 - marked.length)]);
  const ape = Buffer.alloc(32);
  ape.write('APETAGEX', 'latin1');
  ape.writeUInt32LE(marked.length + 32, 12);
  await expectCleaned('flac', [
    ['an ID3 tag behind', Buffer.concat([flac, id3v1]), flac.subarray(-1000)],
    ['an APE tag behind', Buffer.concat([flac, marked, ape, id3v1]), flac.subarray(-1000)],
  ]);
  await expectCleaned('mp3', [
    ['an ID3 tag behind', Buffer.concat([mp3, id3v1]), mp3.subarray(-200)],
    ['the name of the program', replaceIn(mp3, 'Lavf', secret)],
  ]);
  const riff = (...chunks: [type: string, content: Buffer][]) => {
    const parts = chunks.map(([type, content]) =>
      Buffer.concat([Buffer.from(type), numbers(content.length).swap32(), content]),
    );
    const content = Buffer.concat([Buffer.from('WAVE'), ...parts]);
    return Buffer.concat([Buffer.from('RIFF'), numbers(content.length).swap32(), content]);
  };
  const [format, sound] = [Buffer.from('sixteen bytes...'), Buffer.from('the sound!')];
  const even = Buffer.concat([marked, Buffer.alloc(marked.length % 2)]);
  const wav = riff(['LIST', even], ['fmt ', format], ['data', sound], ['id3 ', even]);
  await expectCleaned('wav', [['tags', wav, riff(['fmt ', format], ['data', sound])]]);

  expect(await problemOf(Buffer.concat([Buffer.from('ID3\x03'), id3v1]), 'a.mp3')).toBe('brokenFile');
  expect(await problemOf(riff(['fmt ', format]), 'a.wav')).toBe('brokenFile');
  const changed = Buffer.concat([flac.subarray(0, -500), marked, flac.subarray(-500)]);
  expect(await problemOf(changed, 'a.flac')).toBe('brokenFile');
});

test('a PDF has only what its pages show', async () => {
  const photo = withMetadata(await jpeg(60, 40), 1);
  const image = (more: string, data: Buffer) =>
    stream(
      `/Type/XObject/Subtype/Image/Width 60/Height 40/ColorSpace/DeviceRGB/BitsPerComponent 8${more}`,
      data,
    );
  const note = (more: string) => `<</Type/Annot/Rect[0 0 9 9]${more}>>`;
  const page = (more: string, ...objects: (string | Buffer)[]) =>
    pdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]${more}>>`,
      ...objects,
    ]);
  const catalog = (more: string, ...objects: string[]) =>
    pdf([`<</Type/Catalog/Pages 2 0 R${more}>>`, '<</Type/Pages/Kids[]/Count 0>>', ...objects]);
  const jpeg2000 = (...boxes: Buffer[]) => Buffer.concat([box('jP  ', numbers(0x0d0a870a)), ...boxes]);
  const shown = '/Resources<</XObject<</A 4 0 R>>>>';
  await expectCleaned('pdf', [
    [
      'the author of a note',
      page('/Annots[4 0 R]', note(`/Subtype/Text/Contents(Hello)/T(${secret})`)),
      'Hello',
    ],
    ['a script', catalog(`/OpenAction<</S/JavaScript/JS(${secret})>>`)],
    ['a named script', catalog(`/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(${secret})>>]>>>>`)],
    [
      'a script of a field',
      page('/Annots[4 0 R]', note(`/Subtype/Widget/FT/Tx/T(field)/AA<</K<</S/JavaScript/JS(${secret})>>>>`)),
      'field',
    ],
    ['an attached file', catalog(`/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(${secret})>>]>>>>`)],
    ['a file on a page', page('/Annots[4 0 R]', note(`/Subtype/FileAttachment/FS<</F(${secret})>>`))],
    ['a program to start', page('/Annots[4 0 R]', note(`/Subtype/Link/A<</S/Launch/F(${secret})>>`))],
    ['the place of a map', page(`/VP[<</Measure<</Subtype/GEO/WKT(${secret})>>>>]`)],
    ['data of a program', page(`/PieceInfo<</X<</Private(${secret})>>>>`)],
    ['XMP under another key', catalog('/AF 3 0 R', `<</X(${secret})>>`)],
    [
      'a photo with a list of filters',
      page(shown, image('/Filter[/DCTDecode]', Buffer.concat([photo, marked]))),
    ],
    [
      'a photo as JPEG 2000',
      page(
        shown,
        image('/Filter/JPXDecode', jpeg2000(box('uuid', marked), box('jp2c', Buffer.from('the picture')))),
      ),
    ],
  ]);

  const compressed = page(shown, image('/Filter 5 0 R', deflateSync(photo)), '[/FlateDecode/DCTDecode]');
  const bytes = await clean(compressed, 'a.pdf');
  expect(bytes.includes('JFIF')).toBe(true);
  for (const text of [photographer, locationInXmp]) expect(bytes.includes(text)).toBe(false);
  const link = page('/Annots[4 0 R]', note('/Subtype/Link/A<</S/URI/URI(https://example.org/)>>'));
  const read = await PDFDocument.load(await clean(link, 'a.pdf'), {
    updateMetadata: false,
  });
  expect(read.context.enumerateIndirectObjects().join()).toContain('https://example.org/');
});

const office = 'application/vnd.openxmlformats-officedocument';

/** A Word document with properties by other names, which its archive has besides its text. */
const word = (text: string, list: readonly Relation[], parts: Record<string, string | Buffer> = {}) =>
  zip({
    ...wordParts(text, list),
    '_rels/.rels': relations(
      ['r1', 'officeDocument', 'word/document.xml'],
      ['r2', 'metadata/core-properties', 'docProps/CORE.xml'],
      ['r3', 'metadata/thumbnail', 'docProps/thumbnail.jpeg'],
    ),
    'docProps/CORE.xml': 'x',
    'docProps/thumbnail.jpeg': 'x',
    ...parts,
  });

test('a document of Word, Excel or PowerPoint has only what it shows, and no names', async () => {
  const photo = Buffer.concat([withMetadata(await jpeg(60, 40), 1), marked]);
  const webp = await new Bun.Image(png(20, 20)).webp().buffer();
  const exif = Buffer.concat([Buffer.from('EXIF'), numbers(marked.length).swap32(), marked]);
  const withExif = Buffer.concat([webp, exif]);
  withExif.writeUInt32LE(withExif.length - 8, 4);
  const image = (name: string, content: Buffer) =>
    word('<w:p>The text</w:p>', [['r1', 'image', `media/${name}`]], { [`word/media/${name}`]: content });
  const sheet = (workbook: string, list: readonly Relation[], parts: Record<string, string>) =>
    zip({
      '[Content_Types].xml': contentTypes('xl/workbook.xml', `${office}.spreadsheetml.sheet.main+xml`),
      '_rels/.rels': relations(['r1', 'officeDocument', '/xl/workbook.xml']),
      'xl/workbook.xml': workbook,
      'xl/_rels/workbook.xml.rels': relations(...list),
      ...parts,
    });
  const slides = (parts: Record<string, string>) =>
    zip({
      '[Content_Types].xml': contentTypes(
        'ppt/presentation.xml',
        `${office}.presentationml.presentation.main+xml`,
      ),
      '_rels/.rels': relations(['r1', 'officeDocument', 'ppt/presentation.xml']),
      'ppt/presentation.xml': '<p:presentation/>',
      'ppt/_rels/presentation.xml.rels': relations(['r1', 'commentAuthors', 'commentAuthors.xml']),
      ...parts,
    });
  const worksheet = '<worksheet><sheetData/><pageSetup r:id="r1"/></worksheet>';
  const record = (type: number, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(type);
    head.writeUInt32LE(8 + content.length, 4);
    return Buffer.concat([head, content]);
  };
  const emfHeader = Buffer.alloc(100 + secret.length + 1);
  emfHeader.writeUInt32LE(secret.length, 52);
  emfHeader.writeUInt32LE(100, 56);
  emfHeader.write(secret, 92);
  const emf = Buffer.concat([
    record(1, emfHeader),
    record(70, Buffer.from(`\x14\0\0\0GDIC drawn so`)),
    record(70, Buffer.from(`\x14\0\0\0note of ${secret}`)),
  ]);
  const words = (size: number, text: string) =>
    Buffer.from(`${String.fromCharCode(size)}\0\0\0${text}`, 'latin1');
  const wmf = Buffer.concat([
    Buffer.from('\x01\0\x09\0'.padEnd(18, '\0'), 'latin1'),
    words(12, `\x26\x06\x0f\0\x0e\0${secret}\0\0\0`),
    words(6, '\x21\x05drawn\0'),
  ]);
  await expectCleaned('docx', [
    [
      'properties by another name',
      word('<w:p>The text</w:p>', [], { 'docProps/CORE.xml': secret }),
      'The text',
    ],
    ['a thumbnail', word('', [], { 'docProps/thumbnail.jpeg': photo })],
    [
      'the author of a comment',
      word('<w:p/>', [['r1', 'comments', 'comments.xml']], {
        'word/comments.xml': `<w:comment w:author="${secret}" w:initials="AL" w:date="2024-01-02">Hello</w:comment>`,
      }),
      '<w:comment w:author="Author" w:initials="A">Hello',
    ],
    [
      'the author of a change',
      word(`<w:ins w:id="1" w:author='${secret}'>new</w:ins>`, []),
      '<w:ins w:id="1" w:author="Author">new',
    ],
    ['people', word('', [['r1', 'people', 'people.xml']], { 'word/people.xml': secret })],
    [
      'a template',
      word('<w:p/>', [['r1', 'settings', 'settings.xml']], {
        'word/settings.xml': '<w:settings><w:attachedTemplate r:id="r1"/></w:settings>',
        'word/_rels/settings.xml.rels': relations([
          'r1',
          'attachedTemplate',
          `file:///C:/Users/${secret}/a.dotx`,
          'External',
        ]),
      }),
      '<w:settings>',
    ],
    [
      'custom XML',
      word('', [['r1', 'customXml', '../customXml/item1.xml']], { 'customXml/item1.xml': secret }),
    ],
    ['the description of a metafile', image('a.emf', emf), 'GDIC'],
    ['a comment in a metafile', image('a.wmf', wmf), 'drawn'],
    ['a part without a relation', word('', [], { 'word/hidden.xml': secret })],
    [
      'the path of a link',
      word('<w:hyperlink r:id="r1"/>', [
        ['r1', 'hyperlink', `file:///C:\\Users\\${secret}\\kite.docx`, 'External'],
      ]),
      'Target="kite.docx"',
    ],
    [
      'two relations that go',
      word('<a r:id="r1"/><b r:id="r2"/>', [
        ['r1', 'tags', 'a.xml'],
        ['r2', 'people', `${secret}.xml`],
      ]),
      '<a          /><b          />',
    ],
    [
      'the time of a drawing by pen',
      word('<w14:contentPart r:id="r1"/>', [['r1', 'customXml', 'ink/ink1.xml']], {
        'word/ink/ink1.xml': `<timestamp timeString="${secret}"/><trace>1 2</trace>`,
      }),
      '<trace>1 2</trace>',
    ],
    ['a photo as .jfif', image('a.jfif', photo)],
    ['a picture as .webp', image('a.webp', withExif)],
    [
      'a drawing',
      image(
        'a.svg',
        Buffer.from(`<svg><!-- <a/> ${secret} --><metadata>${secret}</metadata><metadata/><path/></svg>`),
      ),
      '<svg><path/></svg>',
    ],
    [
      'the path of a workbook',
      sheet(
        `<workbook><mc:AlternateContent><mc:Choice><x15ac:absPath url="C:\\${secret}\\"/></mc:Choice></mc:AlternateContent><fileSharing userName="${secret}"/><sheets/></workbook>`,
        [],
        {},
      ),
      '<workbook><fileSharing/><sheets/></workbook>',
    ],
    [
      'a printer',
      sheet('<workbook/>', [['r1', 'worksheet', 'worksheets/sheet1.xml']], {
        'xl/worksheets/sheet1.xml': worksheet,
        'xl/worksheets/_rels/sheet1.xml.rels': relations(['r1', 'printerSettings', '../printer.bin']),
        'xl/printer.bin': secret,
      }),
      '<worksheet><sheetData/><pageSetup          /></worksheet>',
    ],
    [
      'the authors of notes',
      sheet('<workbook/>', [['r1', 'comments', 'comments1.xml']], {
        'xl/comments1.xml': `<comments><authors><author>${secret}</author></authors></comments>`,
      }),
      '<author>Author</author>',
    ],
    [
      'who refreshed a table',
      sheet('<workbook/>', [['r1', 'pivotCacheDefinition', 'a.xml']], {
        'xl/a.xml': `<pivotCacheDefinition refreshedBy="${secret}" refreshedDate="1"/>`,
      }),
      '<pivotCacheDefinition/>',
    ],
    [
      'the authors of slides',
      slides({ 'ppt/commentAuthors.xml': `<p:cmAuthor id="1" name="${secret}" initials="AL"/>` }),
      '<p:cmAuthor id="1" name="Author" initials="A"/>',
    ],
  ]);
  const tiff = image('a.tiff', Buffer.concat([Buffer.from('II*\0'), marked]));
  expect(await problemOf(tiff, 'a.docx')).toBe('unknownPart');
});

test('a document is cleaned by its own type too, and an archive that is none is refused', async () => {
  const type = `${office}.wordprocessingml.document` as const;
  const letter = word('The text', [], { 'docProps/CORE.xml': secret });
  const cleaned = await cleanFile({ type, bytes: letter.slice() });
  expect([cleaned.type, (await contentOf(Buffer.from(cleaned.bytes))).includes(secret)]).toEqual([
    type,
    false,
  ]);
  await expect(cleanFile({ type, bytes: zip({ 'a.txt': secret }) })).rejects.toThrow(
    'is not one that can be read',
  );
});

test('a document of OpenDocument has only what it shows, and no names', async () => {
  const photo = Buffer.concat([withMetadata(await jpeg(60, 40), 1), marked]);
  const document = (content: string, parts: Record<string, string | Buffer> = {}) =>
    zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content, ...parts });
  await expectCleaned('odt', [
    ['properties', document('The text', { 'meta.xml': secret }), 'The text'],
    ['a thumbnail', document('', { 'Thumbnails/thumbnail.png': secret })],
    [
      'the author of a note',
      document(
        `<office:annotation><dc:creator>${secret}</dc:creator><dc:date>2024-01-02</dc:date>Hello</office:annotation>`,
      ),
      '<dc:creator>Author</dc:creator><dc:date>1980-01-01T00:00:00</dc:date>Hello',
    ],
    ['an earlier version', document('', { 'Versions/Version1': secret })],
    [
      'a printer',
      document('', {
        'settings.xml': `<a><config:config-item config:name="PrinterName">${secret}</config:config-item></a>`,
      }),
      '<a></a>',
    ],
    ['a path', document(`<a xlink:href="../../home/${secret}/kite.odt"/>`), '<a xlink:href="kite.odt"/>'],
    ['a photo', document('<a xlink:href="Pictures/1"/>', { 'Pictures/1': photo }), 'Pictures/1'],
    ['a picture that nothing shows', document('', { 'Pictures/2.png': secret })],
  ]);
});

test('a picture keeps its pixels and the colours of its profile, and no texts', async () => {
  const sent = withColorProfile(png(40, 30), screenProfile(marked));
  const bytes = await clean(sent, 'a.png');
  const inside = Buffer.from(inflateSync(bytes.subarray(bytes.indexOf(0, bytes.indexOf('iCCP')) + 2)));
  expect([inside.includes(secret), inside.includes(numbers(30_001, 20_000, 10_000))]).toEqual([false, true]);
  const photo = withMetadata(await jpeg(60, 40), 1);
  const webp = await new Bun.Image(photo).webp().buffer();
  await expectCleaned('jpg', [['bytes behind the end', Buffer.concat([photo, marked])]]);
  for (const picture of [photo, webp, bytes]) {
    const cleaned = await clean(picture, 'a');
    expect(
      (await new Bun.Image(cleaned).png().buffer()).equals(await new Bun.Image(picture).png().buffer()),
    ).toBe(true);
    for (const text of [photographer, locationInXmp]) expect(cleaned.includes(text)).toBe(false);
  }
  expect(await problemOf(photo.subarray(0, -2), 'a.jpg')).toBe('brokenFile');
});

test('models have no names, and archives no metadata of their pictures and sounds', async () => {
  const [mp3, photo] = [await sample('a.mp3'), withMetadata(await jpeg(60, 40), 1)];
  const chunk = (type: string, content: Buffer) =>
    Buffer.concat([numbers(content.length).swap32(), Buffer.from(type), content]);
  const glb = (scene: unknown, binary: Buffer) => {
    const text = JSON.stringify(scene);
    const chunks = Buffer.concat([
      chunk('JSON', Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4))),
      chunk('BIN\0', binary),
    ]);
    return Buffer.concat([Buffer.from('glTF'), numbers(2, chunks.length + 12).swap32(), chunks]);
  };
  const image = Buffer.concat([photo, marked, Buffer.alloc(4 - ((photo.length + marked.length) % 4))]);
  const scene = {
    asset: { version: '2.0', copyright: secret, generator: 'x', extras: secret },
    nodes: [{ name: 'kite', extras: { by: secret } }],
    images: [{ bufferView: 0, mimeType: 'image/jpeg' }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: photo.length + marked.length }],
    extensions: { KHR_xmp_json_ld: { packets: [secret] } },
    extensionsUsed: ['KHR_xmp_json_ld'],
  };
  await expectCleaned('glb', [['a model', glb(scene, image), '"name":"kite"']]);
  const triangle = Buffer.alloc(50, 1);
  const stl = (head: string) =>
    Buffer.concat([Buffer.from(head.padEnd(80), 'latin1'), numbers(1).swap32(), triangle]);
  await expectCleaned('stl', [['a head', stl(`${secret} COLOR=abcd`), 'COLOR=abcd']]);
  await expectCleaned('sb3', [
    ['a photo', zip({ 'project.json': '{}', 'a.jpg': Buffer.concat([photo, marked]) }), '{}'],
    [
      'a sound',
      zip({
        'project.json': '{}',
        'a.mp3': Buffer.concat([mp3, Buffer.from('TAG'), marked, Buffer.alloc(125 - marked.length)]),
      }),
    ],
    [
      'a document',
      zip({ 'a.docx': Buffer.from(word('The text', [], { 'docProps/CORE.xml': secret })) }),
      'The text',
    ],
  ]);
});
