import { cleanFlac, cleanMp3, cleanWav } from './audio.ts';
import {
  detectBySignature,
  detectModelType,
  type FileType,
  isDocumentType,
  isPictureType,
} from './detect.ts';
import { type ArchiveType, cleanArchive } from './document.ts';
import { InvalidFile } from './invalid-file.ts';
import { cleanGlb, cleanStl } from './model.ts';
import { cleanMp4 } from './mp4.ts';
import { cleanOgg } from './ogg.ts';
import { readOrientation, writeOrientation } from './orientation.ts';
import { cleanPicture } from './picture.ts';
import { cleanWebm } from './webm.ts';

export interface TypedFile<Type extends FileType = FileType> {
  readonly type: Type;
  readonly bytes: Uint8Array;
  /** An archive that says by it that it is a document must be one, as one of the type of a document. */
  readonly name?: string | undefined;
}

/**
 * The file without what it tells about people: names of authors, places, programs. It takes long for large files, keeps the
 * thread busy meanwhile, and may write into the bytes that it is given. Of an archive, which `detectType` calls
 * `application/zip`, it finds out whether it is a document. Throws InvalidFile for a file that cannot be cleaned.
 */
export async function cleanFile<Type extends FileType>({
  type,
  bytes,
  name = '',
}: TypedFile<Type>): Promise<{ readonly type: Type | ArchiveType; readonly bytes: Uint8Array }> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === 'application/zip' || isDocumentType(type)) {
    const mustBeDocument = type !== 'application/zip' || documentNames.test(name);
    return cleanArchive(buffer, cleanWithin, { mustBeDocument });
  }
  return { type, bytes: (await cleaners[type]?.(buffer)) ?? buffer };
}

const documentNames = /\.(docx|xlsx|pptx|od[tsp]|epub)$/i;

type Cleaner = (bytes: Buffer) => Buffer | Promise<Buffer>;

const cleanWholePicture = (bytes: Buffer): Buffer => {
  const picture = cleanPicture(bytes);
  if (!picture) throw new InvalidFile('brokenFile');
  return picture;
};

function cleanPhoto(bytes: Buffer): Buffer {
  const orientation = readOrientation(bytes);
  const photo = cleanWholePicture(bytes);
  return orientation === undefined ? photo : writeOrientation(photo, orientation);
}

/** They may write into the file. All of a text or of a program in UF2 is content. */
const cleaners: Partial<Record<FileType, Cleaner>> = {
  'image/jpeg': cleanPhoto,
  'image/png': cleanWholePicture,
  'image/gif': cleanWholePicture,
  'image/webp': cleanWholePicture,
  'audio/mpeg': cleanMp3,
  'audio/wav': cleanWav,
  'audio/flac': cleanFlac,
  'video/mp4': cleanMp4,
  'video/quicktime': cleanMp4,
  'audio/mp4': cleanMp4,
  'video/webm': cleanWebm,
  'video/ogg': cleanOgg,
  'audio/ogg': cleanOgg,
  // It needs a library of half a megabyte, which programs that never see a PDF do not load.
  'application/pdf': async (bytes) => (await import('./pdf.ts')).cleanPdf(bytes),
  'model/stl': cleanStl,
  'model/gltf-binary': cleanGlb,
};

async function cleanWithin(bytes: Buffer, nesting: number, maxBytes: number): Promise<Buffer | undefined> {
  const type = detectBySignature(bytes) ?? detectModelType(bytes);
  if (type === 'application/zip')
    return (await cleanArchive(bytes, cleanWithin, { nesting, maxBytes })).bytes;
  if (!type || !isPictureType(type)) return type && cleaners[type]?.(bytes);
  const picture = cleanPicture(bytes);
  if (!picture) throw new InvalidFile('unknownPart');
  return picture;
}
