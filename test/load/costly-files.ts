// npm run test:load: files that are made to take much memory. One of them keeps a processor busy for seconds, and is given
// up where others want it too.

import { expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { apiText } from '#common/api-text.ts';
import { createGallery } from '../commands/create-gallery.ts';
import {
  box,
  oggPage,
  pdf,
  type Relation,
  stream,
  webmElement,
  wordParts,
  zip,
} from '../support/documents.ts';
import { jpeg, png, pngWithHeader } from '../support/pictures.ts';
import { serve } from '../support/server.ts';

const megabytes = 1_000_000;
const givenUp = String(apiText('slowFile'));

/** A model whose description is this JSON. */
function glb(json: string): Uint8Array<ArrayBuffer> {
  const description = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0\0\0\0\0JSON', 'latin1');
  head.writeUInt32LE(head.length + description.length, 8);
  head.writeUInt32LE(description.length, 12);
  return new Uint8Array(Buffer.concat([head, description]));
}

/** A document whose pictures become 450 MB, and files that have as many parts as fit into an upload. */
async function createCostlyFiles(): Promise<
  [name: string, content: Uint8Array<ArrayBuffer>, status: number][]
> {
  const picture = pngWithHeader(1, 1, Buffer.alloc(45 * megabytes));
  const pictures = Array.from({ length: 10 }, (_, index) => [`word/media/${index}.png`, picture]);
  const list = pictures.map(([name], index): Relation => [`r${index}`, 'image', `/${name}`]);
  const many = (part: string | Buffer) => Buffer.alloc(24 * megabytes, part, 'latin1');
  const page = oggPage(Buffer.alloc(0));
  page[5] = 2;
  const flac = Buffer.from(await Bun.file(new URL('../support/samples/a.flac', import.meta.url)).bytes());
  const info = Buffer.from(flac.subarray(0, 42));
  info[4] = 0;
  const wav = Buffer.from('RIFF\0\0\0\0WAVEfmt \x04\0\0\0abcd', 'latin1');
  const start = box('ftyp', Buffer.from('isom\0\0\0\0'));
  const film = [webmElement('1a45dfa3', webmElement('4282', 'webm')), Buffer.from('18538067ff', 'hex')];
  const emptyFrame = Buffer.alloc(104);
  emptyFrame.set([0xff, 0xfb, 0x10]);
  const small = png(8, 8);
  const chunks = many('\0\0\0\0tEXt\0\0\0\0');
  const photo = Buffer.from(await jpeg(8, 8));
  const segments = [photo.subarray(0, 2), many('\xff\xe1\0\x02'), photo.subarray(2)];
  const webp = [await new Bun.Image(small).webp().buffer(), many('EXIF\0\0\0\0')];
  const openDocument = {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': '<a b="c"/>'.repeat(4 * megabytes),
  };
  const triangles = Buffer.alloc(84 + 50 * 480_000, 1);
  triangles.writeUInt32LE(480_000, 80);
  const gif = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const numbers = '0 '.repeat(12 * megabytes);
  const pages = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'];
  const packed = stream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', deflateSync(`9 0 [${numbers}]`));
  return [
    ['album.docx', zip({ ...wordParts('<w/>', list), ...Object.fromEntries(pictures) }), 201],
    ['seek-tables.flac', new Uint8Array(Buffer.concat([info, many('\x03\0\0\0')])), 400],
    ['chunks.wav', new Uint8Array(Buffer.concat([wav, many('fact\0\0\0\0')])), 400],
    ['streams.ogg', new Uint8Array(Buffer.concat([oggPage(Buffer.from('OpusHead')), many(page)])), 400],
    ['boxes.mp4', new Uint8Array(Buffer.concat([start, box('moov', many('\0\0\0\x08free'))])), 400],
    ['voids.webm', new Uint8Array(Buffer.concat([...film, many('\xec\x80')])), 400],
    ['tags.mp3', new Uint8Array(many('ID3\x03\0\0\0\0\0\0')), 400],
    ['frames.mp3', new Uint8Array(Buffer.alloc(104 * 230_000, emptyFrame)), 201],
    ['numbers.pdf', pdf([...pages, `[${numbers}]`]), 400],
    ['packed.pdf', pdf([...pages, packed]), 400],
    ['elements.odt', zip(openDocument), 201],
    ['triangles.stl', new Uint8Array(triangles), 201],
    ['numbers.glb', glb(`{"asset":{"version":"2.0"},"extras":[${'0,'.repeat(11 * megabytes)}0]}`), 400],
    ['chunks.png', new Uint8Array(Buffer.concat([small.subarray(0, 33), chunks, small.subarray(33)])), 201],
    ['segments.jpg', new Uint8Array(Buffer.concat(segments)), 400],
    ['chunks.webp', new Uint8Array(Buffer.concat(webp)), 201],
    ['notes.gif', new Uint8Array(Buffer.concat([gif, many('\x21\xfe\0')])), 400],
    [
      'parts.zip',
      zip(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`a${index}`, '']))),
      201,
    ],
  ];
}

test('files that are made to take much memory take less than 200 MB of it', async () => {
  const { options, headers } = await createGallery();
  for (const [name, content, status] of await createCostlyFiles()) {
    const server = await serve(...options);
    const maxMemory = async () => {
      const status = await Bun.file(`/proc/${server.process.pid}/status`).text();
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000;
    };
    const before = await maxMemory();
    const body = new FormData();
    body.append('file', new Blob([content]), name);
    const path = `${server.address}/api/v1/projects/1/media/`;
    const response = await fetch(path, { method: 'POST', headers, body });
    // On a busy machine it may be given up, which is a 400 too.
    const isGivenUp = (await response.text()).includes(givenUp);
    expect([name, response.status]).toEqual([name, isGivenUp ? 400 : status]);
    expect((await maxMemory()) - before, name).toBeLessThan(200);
    await server.stop('SIGKILL');
  }
});
