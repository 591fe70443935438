// Generates pictures and videos for tests, so that no file has to be stored and the content is known.

import { crc32, deflateSync } from 'node:zlib';
import { box, numbers } from './documents.ts';

type Color = readonly [red: number, green: number, blue: number];

/** A chunk of a PNG: length, type, data and checksum. */
function pngChunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

const gradient = (x: number, y: number): Color => [x & 255, y & 255, (x + y) & 255];

export function png(width: number, height: number, color = gradient): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(color(x, y), y * (width * 3 + 1) + 1 + x * 3);
  }
  return pngWithHeader(width, height, deflateSync(rows));
}

/** A PNG whose header declares this size, whatever its content is. */
export function pngWithHeader(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The same PNG with this colour profile. */
export function withColorProfile(picture: Buffer, profile: Buffer): Buffer {
  const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('name\0\0'), deflateSync(profile)]));
  // After the signature and the header.
  return Buffer.concat([picture.subarray(0, 33), chunk, picture.subarray(33)]);
}

/** A colour profile of this length, without colours. */
export function emptyProfile(length: number): Buffer {
  const profile = Buffer.alloc(length);
  profile.writeUInt32BE(length);
  profile.write('mntrRGB XYZ ', 12, 'latin1');
  profile.write('acsp', 36, 'latin1');
  return profile;
}

/** The profile of a screen, which has this as its name. */
export function screenProfile(name: Buffer): Buffer {
  const tags: [string, Buffer][] = [
    ['desc', Buffer.concat([Buffer.from('desc\0\0\0\0'), name, crypto.getRandomValues(Buffer.alloc(400))])],
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((tag, index): [string, Buffer] => [
      tag,
      Buffer.concat([Buffer.from('XYZ \0\0\0\0'), numbers(30_000 + index, 20_000, 10_000)]),
    ]),
    ...['rTRC', 'gTRC', 'bTRC'].map((tag): [string, Buffer] => [
      tag,
      Buffer.concat([Buffer.from('curv\0\0\0\0'), numbers(1), Buffer.from([2, 51, 0, 0])]),
    ]),
  ];
  let at = 132 + tags.length * 12;
  const table = tags.map(([tag, { length }]) => {
    const entry = Buffer.concat([Buffer.from(tag), numbers(at, length)]);
    at += length;
    return entry;
  });
  const head = Buffer.alloc(128);
  head.writeUInt32BE(at);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  return Buffer.concat([head, numbers(tags.length), ...table, ...tags.map(([, value]) => value)]);
}

export async function jpeg(width: number, height: number, color = gradient): Promise<Buffer> {
  return new Bun.Image(png(width, height, color)).jpeg({ quality: 90 }).buffer();
}

/** A progressive JPEG that repeats its last scan until it has so many. */
export async function jpegWithScans(count: number, from = png(40, 30)): Promise<Buffer> {
  const picture = await new Bun.Image(from).jpeg({ progressive: true }).buffer();
  const scan = Buffer.from([0xff, 0xda]);
  const usualCount = picture.toString('latin1').split(scan.toString('latin1')).length - 1;
  const [lastScan, end] = [picture.lastIndexOf(scan), picture.length - 2];
  const more = Array.from({ length: count - usualCount }, () => picture.subarray(lastScan, end));
  return Buffer.concat([picture.subarray(0, end), ...more, picture.subarray(end)]);
}

/** A grey JPEG in the four colours of printers. `side` is a multiple of 8. */
export function cmykJpeg(side: number): Buffer {
  const segment = (marker: number, ...bytes: number[]) =>
    Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes]);
  const components = [1, 2, 3, 4];
  const onlyZero = [1, ...Array(15).fill(0), 0];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array(64).fill(1)),
    segment(0xc0, 8, 0, side, 0, side, 4, ...components.flatMap((component) => [component, 0x11, 0])),
    segment(0xc4, 0x00, ...onlyZero),
    segment(0xc4, 0x10, ...onlyZero),
    segment(0xda, 4, ...components.flatMap((component) => [component, 0]), 0, 63, 0),
    Buffer.alloc((side / 8) ** 2),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Two frames of 64 by 64 pixels. */
export async function animatedWebp(): Promise<Buffer> {
  const chunk = (type: string, ...data: Uint8Array[]) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(
      data.reduce((total, { length }) => total + length, 0),
      4,
    );
    return Buffer.concat([head, ...data]);
  };
  const picture = await new Bun.Image(png(64, 64)).webp().buffer();
  const frame = chunk(
    'ANMF',
    Buffer.from([0, 0, 0, 0, 0, 0, 63, 0, 0, 63, 0, 0, 9, 0, 0, 0]),
    picture.subarray(12),
  );
  const header = chunk('VP8X', Buffer.from([2, 0, 0, 0, 63, 0, 0, 63, 0, 0]));
  return chunk('RIFF', Buffer.from('WEBP'), header, chunk('ANIM', Buffer.alloc(6)), frame, frame);
}

/** Metadata that the camera of a phone writes: the photographer as EXIF, and the location as XMP. */
export const photographer = 'Taken by Ada Lovelace';
export const locationInXmp = 'exif:GPSLatitude="51,30.45N"';

/** The same JPEG with EXIF orientation, artist and location, and with XMP. */
export function withMetadata(picture: Buffer, orientation: number): Buffer {
  const segment = (text: Buffer) =>
    Buffer.concat([Buffer.from([0xff, 0xe1, (text.length + 2) >> 8, (text.length + 2) & 255]), text]);
  const xmp = Buffer.from(
    `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:Description ${locationInXmp}/></x:xmpmeta>`,
  );
  return Buffer.concat([
    picture.subarray(0, 2),
    segment(exif(orientation)),
    segment(xmp),
    picture.subarray(2),
  ]);
}

interface ExifEntry {
  readonly tag: number;
  /** 2 is text, 3 a short integer, 4 an integer, 5 a fraction. */
  readonly type: number;
  readonly count: number;
  /** The value if it is short, otherwise its position. */
  readonly value: number;
}

/** Orientation (0x112), artist (0x13b) and a GPS directory (0x8825) with a latitude. */
function exif(orientation: number): Buffer {
  const artist = Buffer.from(`${photographer}\0`);
  const directoryAt = 8;
  const gpsAt = directoryAt + 2 + 3 * 12 + 4;
  const latitudeAt = gpsAt + 2 + 2 * 12 + 4;
  const artistAt = latitudeAt + 24;
  const tiff = Buffer.alloc(artistAt + artist.length);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(directoryAt, 4);
  const writeEntry = (at: number, { tag, type, count, value }: ExifEntry) => {
    tiff.writeUInt16BE(tag, at);
    tiff.writeUInt16BE(type, at + 2);
    tiff.writeUInt32BE(count, at + 4);
    if (type === 3) tiff.writeUInt16BE(value, at + 8);
    else tiff.writeUInt32BE(value, at + 8);
  };
  tiff.writeUInt16BE(3, directoryAt);
  writeEntry(directoryAt + 2, { tag: 0x112, type: 3, count: 1, value: orientation });
  writeEntry(directoryAt + 14, { tag: 0x13b, type: 2, count: artist.length, value: artistAt });
  writeEntry(directoryAt + 26, { tag: 0x8825, type: 4, count: 1, value: gpsAt });
  tiff.writeUInt16BE(2, gpsAt);
  // The latitude is north (N) and has three fractions: degrees, minutes and seconds.
  writeEntry(gpsAt + 2, { tag: 1, type: 2, count: 2, value: 0x4e000000 });
  writeEntry(gpsAt + 14, { tag: 2, type: 5, count: 3, value: latitudeAt });
  [51, 1, 30, 1, 2700, 100].forEach((number, index) => {
    tiff.writeUInt32BE(number, latitudeAt + index * 4);
  });
  artist.copy(tiff, artistAt);
  return Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
}

export const locationInVideo = '+51.5074-000.1278/';

/** An MP4 with the location that a phone writes into it, and with one picture, which cannot be shown. */
export function mp4(...more: string[]): Buffer {
  const location = box('udta', box('\xa9xyz', Buffer.from(locationInVideo)));
  const samples = Buffer.from(['frames', ...more].join(''));
  const file = (start: number) =>
    Buffer.concat([
      box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41')),
      box('moov', box('mvhd', Buffer.from('header')), videoTrack(start, samples.length), location),
      box('mdat', samples),
    ]);
  return file(file(0).length - samples.length);
}

/** With one sample. */
function videoTrack(start: number, length: number): Buffer {
  const format = box('avc1', Buffer.alloc(78));
  const table = box(
    'stbl',
    box('stsd', numbers(0, 1), format),
    box('stsz', numbers(0, length, 1)),
    box('stsc', numbers(0, 1, 1, 1, 1)),
    box('stco', numbers(0, 1, start)),
  );
  const handler = box('hdlr', numbers(0, 0), Buffer.from('vide'), numbers(0, 0, 0));
  return box('trak', box('tkhd', numbers(0, 0, 0, 1)), box('mdia', handler, box('minf', table)));
}
