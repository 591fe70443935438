// Generates pictures and other files for tests, so that no picture has to be stored and their content is known.

import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

const slope = (x: number, y: number): Colour => [x & 255, y & 255, (x + y) & 255];

export function png(width: number, height: number, colour = slope): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows.set(colour(x, y), y * (width * 3 + 1) + 1 + x * 3);
  }
  return pngOf(width, height, deflateSync(rows));
}

/** A PNG whose header declares this size, whatever its content is. */
export function pngOf(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const end = chunk('IEND', Buffer.alloc(0));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), end]);
}

export async function jpeg(width: number, height: number, colour = slope): Promise<Buffer> {
  return new Bun.Image(png(width, height, colour)).jpeg({ quality: 90 }).buffer();
}

/** Metadata like that of a phone's camera: the photographer, and the place as XMP. */
export const photographer = 'Taken by Ada Lovelace';
export const placeInXmp = 'exif:GPSLatitude="51,30.45N"';

/** The same JPEG with EXIF orientation, artist and location, and with XMP. */
export function described(picture: Buffer, orientation: number): Buffer {
  const segment = (text: Buffer) =>
    Buffer.concat([Buffer.from([0xff, 0xe1, (text.length + 2) >> 8, (text.length + 2) & 255]), text]);
  const xmp = Buffer.from(
    `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta><rdf:Description ${placeInXmp}/></x:xmpmeta>`,
  );
  return Buffer.concat([
    picture.subarray(0, 2),
    segment(exif(orientation)),
    segment(xmp),
    picture.subarray(2),
  ]);
}

/** Orientation (0x112), artist (0x13b) and a GPS block (0x8825) with a latitude. */
function exif(orientation: number): Buffer {
  const artist = Buffer.from(`${photographer}\0`);
  const [first, place] = [8, 8 + 2 + 3 * 12 + 4];
  const latitude = place + 2 + 2 * 12 + 4;
  const name = latitude + 24;
  const tiff = Buffer.alloc(name + artist.length);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(first, 4);
  const entry = (at: number, [tag, type, count, value]: readonly [number, number, number, number]) => {
    tiff.writeUInt16BE(tag, at);
    tiff.writeUInt16BE(type, at + 2);
    tiff.writeUInt32BE(count, at + 4);
    if (type === 3) tiff.writeUInt16BE(value, at + 8);
    else tiff.writeUInt32BE(value, at + 8);
  };
  tiff.writeUInt16BE(3, first);
  entry(first + 2, [0x112, 3, 1, orientation]);
  entry(first + 14, [0x13b, 2, artist.length, name]);
  entry(first + 26, [0x8825, 4, 1, place]);
  tiff.writeUInt16BE(2, place);
  entry(place + 2, [1, 2, 2, 0x4e000000]);
  entry(place + 14, [2, 5, 3, latitude]);
  [51, 1, 30, 1, 2700, 100].forEach((part, index) => {
    tiff.writeUInt32BE(part, latitude + index * 4);
  });
  artist.copy(tiff, name);
  return Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
}

const box = (type: string, ...content: (string | Buffer)[]) => {
  const body = Buffer.concat(content.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

export const placeInVideo = '+51.5074-000.1278/';

/** The boxes of an MP4 with the location that a phone writes into it. It has no media to play. */
export function mp4(...more: string[]): Buffer {
  const place = box('udta', box('\xa9xyz', placeInVideo));
  return Buffer.concat([
    box('ftyp', 'isom\0\0\x02\0isomiso2mp41'),
    box('moov', box('mvhd', 'header'), box('trak', box('tkhd', 'track'), place), place),
    box('mdat', 'frames', ...more),
  ]);
}
