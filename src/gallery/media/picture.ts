// Makes a picture into those that pages show: turned upright, in several sizes, and without what it says of where and
// by whom it was taken. The original is not kept. The work is done on threads of Bun's own.

import { availableParallelism } from 'node:os';
import { Refused } from '../../fields.ts';
import { Semaphore } from '../../semaphore.ts';

export interface Made {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const widths = [320, 640, 1280];
/** No side of the largest is longer. */
const longest = 2560;
const mostPixels = 50_000_000;
const quality = 80;

/** A picture may take 200 MB while it is looked at, and others want a processor too. */
const turns = new Semaphore(Math.max(1, availableParallelism() >> 1));

/** The smallest first. */
export function sizesOf(bytes: Uint8Array): Promise<Made[]> {
  return turns.run(async () => {
    if (bytes[0] === 0xff && !isWhole(bytes)) throw new Refused(broken);
    try {
      const box = { fit: 'inside', withoutEnlargement: true } as const;
      const whole = await made(image(bytes).resize(longest, longest, box));
      const smaller: Made[] = [];
      // By what it is when it is upright.
      for (const each of widths) {
        if (each < whole.width) smaller.push(await made(image(bytes).resize(each, heightOf(each, whole))));
      }
      return [...smaller, whole];
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code === 'ERR_IMAGE_TOO_MANY_PIXELS')
        throw new Refused(`Send a picture of at most ${mostPixels / 1_000_000} megapixels.`);
      if (code.startsWith('ERR_IMAGE')) throw new Refused(broken);
      throw error;
    }
  });
}

const broken = 'This picture is broken or cut off.';

const image = (bytes: Uint8Array) => new Bun.Image(bytes, { maxPixels: mostPixels });

const heightOf = (width: number, whole: Made) =>
  Math.max(1, Math.round((whole.height * width) / whole.width));

async function made(picture: Bun.Image): Promise<Made> {
  const bytes = await picture.webp({ quality }).bytes();
  const { width, height } = await new Bun.Image(bytes).metadata();
  return { bytes, width, height };
}

/** A JPEG that is cut off would be made whole with grey: after its first scan it must say that it ends. */
function isWhole(bytes: Uint8Array): boolean {
  let at = 2;
  while (at + 4 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('ffd9', at, 'hex') >= 0;
}
