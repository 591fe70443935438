import { detectBySignature, detectModelType } from '../detect-type.ts';
import { type MediaType, unknownPart } from '../media.ts';
import { stripFlac, stripMp3, stripWav } from './audio.ts';
import { stripArchive } from './document.ts';
import { stripGlb, stripStl } from './model.ts';
import { stripMp4 } from './mp4.ts';
import { stripOgg } from './ogg.ts';
import { stripPdf } from './pdf.ts';
import { stripPicture } from './picture.ts';
import type { TypedFile } from './strip.ts';
import { stripWebm } from './webm.ts';

export async function stripFile({ type, bytes, name }: TypedFile): Promise<TypedFile> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === 'application/zip') return stripArchive(buffer, stripWithin, { name });
  return { type, bytes: (await strippers[type]?.(buffer)) ?? buffer };
}

/** They may write into the file. */
const strippers: Partial<Record<MediaType, (bytes: Buffer) => Buffer | undefined | Promise<Buffer>>> = {
  'image/webp': stripPicture,
  'audio/mpeg': stripMp3,
  'audio/wav': stripWav,
  'audio/flac': stripFlac,
  'video/mp4': stripMp4,
  'video/quicktime': stripMp4,
  'audio/mp4': stripMp4,
  'video/webm': stripWebm,
  'video/ogg': stripOgg,
  'audio/ogg': stripOgg,
  'application/pdf': stripPdf,
  'model/stl': stripStl,
  'model/gltf-binary': stripGlb,
};

async function stripWithin(bytes: Buffer, nesting: number, maxBytes: number): Promise<Buffer | undefined> {
  const type = detectBySignature(bytes) ?? detectModelType(bytes);
  if (type === 'application/zip')
    return (await stripArchive(bytes, stripWithin, { nesting, maxBytes })).bytes;
  if (type !== 'picture') return type && strippers[type]?.(bytes);
  const picture = stripPicture(bytes);
  if (!picture) throw unknownPart();
  return picture;
}
