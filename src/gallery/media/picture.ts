// Converts a picture to the sizes that pages show: upright, and without metadata such as place and author. The
// original is not kept. The work runs on Bun's own threads and cannot be interrupted: docs/limits.md says how it is
// bounded.

import { availableParallelism } from 'node:os';
import { errorCode } from '../../errors.ts';
import { InvalidValue } from '../../fields.ts';
import { QueuePerPerson } from '../../queue-per-person.ts';
import { RequestQueue } from '../../request-queue.ts';
import { trimJpeg } from './jpeg.ts';

export interface EncodedPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const widths = [320, 640, 1280];
/** No side of the largest size is longer. */
const maxSide = 2560;
const maxPixels = 50_000_000;
const maxOriginalSide = 30_000;
/** Every size has the colour profile, and 100 kB of a PNG can become one of 100 MB. */
const maxProfileBytes = 1_000_000;
const quality = 80;

/** Decoding a picture may take 400 MB, and other work needs a processor too. */
const queue = new RequestQueue({
  maxRunning: Math.max(1, availableParallelism() >> 1),
  maxWaiting: 20,
});
const ownQueues = new QueuePerPerson<number | null>({ maxRunning: 1, maxWaiting: 10 });

/** Smallest first. */
export async function encodeSizes(bytes: Uint8Array, contributor: number | null): Promise<EncodedPicture[]> {
  const picture = bytes[0] === 0xff ? trimJpeg(bytes) : bytes;
  try {
    return await ownQueues.run(contributor, () => queue.run(() => encodeNow(picture)));
  } catch (error) {
    const code = errorCode(error) ?? '';
    if (code === 'ERR_IMAGE_TOO_MANY_PIXELS')
      throw new InvalidValue(`Send a picture of at most ${maxPixels / 1_000_000} megapixels.`);
    if (code.startsWith('ERR_IMAGE')) throw new InvalidValue('This picture is broken or cut off.');
    throw error;
  }
}

async function encodeNow(bytes: Uint8Array): Promise<EncodedPicture[]> {
  const original = () => new Bun.Image(bytes, { maxPixels });
  const { width, height } = await original().metadata();
  if (Math.max(width, height) > maxOriginalSide)
    throw new InvalidValue(
      `Send a picture of at most ${maxOriginalSide.toLocaleString('en')} pixels on each side.`,
    );
  // The original is decoded once: all sizes are made from this PNG, which costs little because it is not compressed.
  const box = { fit: 'inside', withoutEnlargement: true } as const;
  const upright = await original().resize(maxSide, maxSide, box).png({ compressionLevel: 0 }).bytes();
  const whole = await encode(new Bun.Image(upright));
  if (profileBytesOf(whole) > maxProfileBytes)
    throw new InvalidValue('The colour profile of this picture has more than 1 MB.');
  const smaller: EncodedPicture[] = [];
  for (const width of widths) {
    if (width < whole.width)
      smaller.push(await encode(new Bun.Image(upright).resize(width, scaledHeight(width, whole))));
  }
  return [...smaller, whole];
}

/** In a WebP, the profile is the second chunk. */
function profileBytesOf({ bytes }: EncodedPicture): number {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(30, 38);
  return head.toString('latin1', 0, 4) === 'ICCP' ? head.readUInt32LE(4) : 0;
}

const scaledHeight = (width: number, whole: EncodedPicture) =>
  Math.max(1, Math.round((whole.height * width) / whole.width));

async function encode(picture: Bun.Image): Promise<EncodedPicture> {
  const bytes = await picture.webp({ quality }).bytes();
  const { width, height } = await new Bun.Image(bytes).metadata();
  return { bytes, width, height };
}
