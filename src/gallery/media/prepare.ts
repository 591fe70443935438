// From what somebody sent to what is kept: recognised, made into sizes, put where files are. All of it comes before
// the transaction that writes it down; what is then not written down is a leftover, which the sweep takes.

import { Invalid } from '../../errors.ts';
import { Refused } from '../../fields.ts';
import type { Files } from '../../files/open.ts';
import { limits, type MediaType, nameOf, type Size } from './media.ts';
import { sizesOf } from './picture.ts';
import { recognise } from './recognise.ts';
import { withoutDescriptions } from './video.ts';

/** Kept already, and not yet any project's. */
export interface Prepared {
  readonly type: MediaType;
  readonly name: string;
  readonly sizes: readonly Size[];
}

interface Read {
  readonly type: MediaType;
  readonly name: string;
  readonly made: readonly { bytes: Uint8Array; width: number | null; height: number | null }[];
}

/** All of them or none; says of each what is wrong with it. */
export async function prepareUploads(files: Files, sent: readonly File[]): Promise<Prepared[]> {
  if (sent.length > limits.files) throw new Invalid({ file: [tooMany] });
  const read: Read[] = [];
  const wrong: string[] = [];
  for (const one of sent) {
    try {
      read.push(await readUpload(one));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.push(sent.length === 1 ? error.message : `${shown(one)}: ${error.message}`);
    }
  }
  if (wrong.length) throw new Invalid({ file: wrong });
  const prepared: Prepared[] = [];
  for (const one of read) prepared.push(await put(files, one));
  return prepared;
}

export const tooMany = `A project has at most ${limits.files} files.`;

async function readUpload(file: File): Promise<Read> {
  const bytes = await file.bytes();
  const found = recognise(bytes);
  const type = found === 'picture' ? 'image/webp' : found;
  const plain = type === 'video/mp4' || type === 'video/quicktime' ? withoutDescriptions(bytes) : bytes;
  return {
    type,
    name: nameOf(file.name ?? '', type),
    made: found === 'picture' ? await sizesOf(bytes) : [{ bytes: plain, width: null, height: null }],
  };
}

async function put(files: Files, { type, name, made }: Read): Promise<Prepared> {
  const sizes: Size[] = [];
  for (const { bytes, width, height } of made) {
    const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
    await files.put(hash, bytes);
    sizes.push({ hash, bytes: bytes.length, width, height });
  }
  return { type, name, sizes };
}

function shown({ name = '' }: File): string {
  return [...name.replace(/\p{Cc}/gu, ' ')].slice(0, 60).join('') || 'A file';
}
