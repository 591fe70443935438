// A whole photo: what it tells goes, and it is still shown upright.

import { expect, test } from 'bun:test';
import { jpeg, locationInXmp, photographer, png, withMetadata } from '../../../test/support/pictures.ts';
import { cleanFile } from '../src/index.ts';

const clean = async (bytes: Buffer) =>
  Buffer.from((await cleanFile({ type: 'image/jpeg', bytes: Buffer.from(bytes) })).bytes);

test('a photo keeps its pixels and how it is to be turned, and nothing else of its metadata', async () => {
  const upright = await jpeg(60, 40);
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const photo = withMetadata(upright, orientation);
    const cleaned = await clean(photo);
    for (const text of [photographer, locationInXmp, 'GPS']) expect(cleaned.includes(text)).toBe(false);
    const pixels = (picture: Buffer) => new Bun.Image(picture).png().buffer();
    expect((await pixels(cleaned)).equals(await pixels(photo))).toBe(true);
    expect((await clean(cleaned)).equals(cleaned)).toBe(true);
    expect([orientation, cleaned.length - upright.length]).toEqual([orientation, orientation === 1 ? 0 : 36]);
  }
});

test('metadata that is cut off, or says more than it has, is taken out too', async () => {
  const [upright, whole] = [await jpeg(60, 40), withMetadata(await jpeg(60, 40), 6)];
  const start = whole.indexOf('Exif') - 4;
  const exif = whole.subarray(start, start + 2 + whole.readUInt16BE(start + 2));
  for (let length = 4; length < 60; length++) {
    const cut = Buffer.from(exif.subarray(0, length));
    cut.writeUInt16BE(length - 2, 2);
    const cleaned = await clean(Buffer.concat([upright.subarray(0, 2), cut, upright.subarray(2)]));
    expect([length, [0, 36].includes(cleaned.length - upright.length)]).toEqual([length, true]);
  }
});

test('a broken picture is refused, and its bytes stay as they are', async () => {
  const broken = png(4, 4).subarray(0, -3);
  const before = Buffer.from(broken);
  await expect(cleanFile({ type: 'image/png', bytes: broken })).rejects.toThrow(
    'The file is broken or cut off.',
  );
  expect(broken.equals(before)).toBe(true);
});
