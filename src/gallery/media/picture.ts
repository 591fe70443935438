// Converts a picture to the sizes that pages show: upright, and without metadata such as place and author. The
// original is not kept. The work runs on Bun's own threads.

import { availableParallelism } from 'node:os';
import { errorCode } from '../../errors.ts';
import { InvalidValue } from '../../fields.ts';
import { Semaphore } from '../../semaphore.ts';

export interface EncodedPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const widths = [320, 640, 1280];
/** No side of the largest size is longer. */
const maxSide = 2560;
const maxPixels = 50_000_000;
const quality = 80;

/** Decoding a picture may take 200 MB, and other work needs a processor too. */
const semaphore = new Semaphore(Math.max(1, availableParallelism() >> 1));

/** Smallest first. */
export function encodeSizes(bytes: Uint8Array): Promise<EncodedPicture[]> {
  return semaphore.run(async () => {
    if (bytes[0] === 0xff && !isCompleteJpeg(bytes)) throw new InvalidValue(brokenPicture);
    try {
      const box = { fit: 'inside', withoutEnlargement: true } as const;
      const whole = await encode(decode(bytes).resize(maxSide, maxSide, box));
      const smaller: EncodedPicture[] = [];
      // Compares with the width after rotation.
      for (const width of widths) {
        if (width < whole.width)
          smaller.push(await encode(decode(bytes).resize(width, scaledHeight(width, whole))));
      }
      return [...smaller, whole];
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (code === 'ERR_IMAGE_TOO_MANY_PIXELS')
        throw new InvalidValue(`Send a picture of at most ${maxPixels / 1_000_000} megapixels.`);
      if (code.startsWith('ERR_IMAGE')) throw new InvalidValue(brokenPicture);
      throw error;
    }
  });
}

const brokenPicture = 'This picture is broken or cut off.';

const decode = (bytes: Uint8Array) => new Bun.Image(bytes, { maxPixels: maxPixels });

const scaledHeight = (width: number, whole: EncodedPicture) =>
  Math.max(1, Math.round((whole.height * width) / whole.width));

async function encode(picture: Bun.Image): Promise<EncodedPicture> {
  const bytes = await picture.webp({ quality }).bytes();
  const { width, height } = await new Bun.Image(bytes).metadata();
  return { bytes, width, height };
}

/** The decoder fills a truncated JPEG with grey, so look for the end marker after the first scan. */
function isCompleteJpeg(bytes: Uint8Array): boolean {
  let at = 2;
  while (at + 4 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('ffd9', at, 'hex') >= 0;
}
