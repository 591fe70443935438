// Turns uploads into stored files: detects the type, converts pictures and writes the bytes, all before the
// transaction that refers to them. If that fails, the bytes are deleted a day later.

import { detectType, type FileType, InvalidFile, isPictureType } from '#clean-files/detect';
import { apiText, type Text } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { nextEventLoopTurn, slices } from '#common/event-loop.ts';
import { InvalidValue } from '#common/inputs.ts';
import type { Database } from '#sql';
import { requireFileRoom } from '../changes/usage.ts';
import { anonymous, type Viewer } from '../viewer/viewer.ts';
import { type EncodedPicture, encodeSizes } from './picture.ts';
import { expectReference } from './references.ts';
import type { FileStore } from './store.ts';
import { type MediaType, mediaLimits, type Size, sanitizeFileName } from './stored-files.ts';
import { stripMetadata } from './strip.ts';

/** Its bytes are stored, but no project refers to it yet. */
export interface PreparedFile {
  readonly type: MediaType;
  readonly name: string;
  readonly sizes: readonly Size[];
}

interface UploadDependencies {
  readonly database: Database;
  readonly files: FileStore;
}

interface DecodedSize extends Pick<Size, 'width' | 'height'> {
  readonly bytes: Uint8Array;
}

interface DecodedUpload extends Omit<PreparedFile, 'sizes'> {
  readonly sizes: readonly DecodedSize[];
}

/** The same size with the hash and the number of its bytes instead of these. */
type StoredSize<Decoded extends DecodedSize> = Pick<Size, 'hash' | 'bytes'> &
  Pick<Decoded, 'width' | 'height'>;

/** All or none; reports the problem of each file. Stores nothing if the files have more bytes than there is room for. */
export async function prepareUploads(
  { database, files }: UploadDependencies,
  viewer: Viewer,
  uploads: readonly File[],
): Promise<PreparedFile[]> {
  if (uploads.length === 0) return [];
  if (uploads.length > mediaLimits.files) throw new Invalid({ file: [tooManyFiles] });
  const decoded: DecodedUpload[] = [];
  const problems: Text[] = [];
  for (const upload of uploads) {
    try {
      decoded.push(await decodeUpload(upload, viewer));
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      problems.push(
        uploads.length === 1
          ? error.text
          : apiText('fileProblem', { name: formatFileName(upload), problem: error.text }),
      );
    }
  }
  if (problems.length) throw new Invalid({ file: problems });
  await requireFileRoom(database, viewer, sumBytes(decoded.flatMap(({ sizes }) => sizes)));
  const prepared: PreparedFile[] = [];
  for (const { type, name, sizes } of decoded)
    prepared.push({ type, name, sizes: await storeSizes({ database, files }, sizes) });
  return prepared;
}

/** A picture that is no file of a project, in the sizes that `encode` makes. A problem is that of the field. */
export async function preparePicture(
  { database, files }: UploadDependencies,
  viewer: Viewer,
  field: string,
  upload: File,
  encode: (bytes: Uint8Array, contributor: number | null) => Promise<EncodedPicture[]>,
): Promise<StoredSize<EncodedPicture>[]> {
  const bytes = await upload.bytes();
  await nextEventLoopTurn();
  try {
    // A drawing in SVG could run scripts.
    const type = await detect(bytes);
    if (!type || !isPictureType(type)) throw new InvalidValue(apiText('site.badLogo'));
    const sizes = await encode(bytes, viewer.contributor);
    await requireFileRoom(database, viewer, sumBytes(sizes));
    return await storeSizes({ database, files }, sizes);
  } catch (error) {
    throw error instanceof InvalidValue ? new Invalid({ [field]: [error.text] }) : error;
  }
}

export const tooManyFiles = apiText('maxFiles', { max: mediaLimits.files });

/** Reports the problem of a file that is not stored. */
export async function checkUpload(file: File): Promise<void> {
  try {
    await decodeUpload(file, anonymous);
  } catch (error) {
    throw error instanceof InvalidValue ? new Invalid({ file: [error.text] }) : error;
  }
}

async function decodeUpload(file: File, { contributor }: Viewer): Promise<DecodedUpload> {
  const bytes = await file.bytes();
  await nextEventLoopTurn();
  const detected = await detect(bytes);
  if (!detected) throw new InvalidValue(apiText('fileKind'));
  if (isPictureType(detected)) {
    const type = 'image/webp';
    const sizes = await encodeSizes(bytes, contributor);
    return { type, name: sanitizeFileName(file.name ?? '', type), sizes };
  }
  const stripped = await stripMetadata({ type: detected, bytes, name: file.name }, contributor);
  return {
    type: stripped.type,
    name: sanitizeFileName(file.name ?? '', stripped.type),
    sizes: [{ bytes: stripped.bytes, width: null, height: null }],
  };
}

async function detect(bytes: Uint8Array): Promise<FileType | undefined> {
  try {
    return await detectType(bytes);
  } catch (error) {
    throw error instanceof InvalidFile ? new InvalidValue(apiText(error.code)) : error;
  }
}

async function storeSizes<Decoded extends DecodedSize>(
  { database, files }: UploadDependencies,
  sizes: readonly Decoded[],
) {
  const stored: StoredSize<Decoded>[] = [];
  for (const { bytes, width, height } of sizes)
    stored.push({ hash: await hashFile(bytes), bytes: bytes.length, width, height });
  await expectReference(
    database,
    stored.map(({ hash }) => hash),
  );
  for (const [index, { hash }] of stored.entries()) {
    const bytes = sizes[index]?.bytes;
    if (bytes) await files.put(hash, bytes);
  }
  return stored;
}

const sumBytes = (sizes: readonly DecodedSize[]) =>
  sizes.reduce((total, { bytes }) => total + bytes.length, 0);

/** The name of a file: the SHA-256 of its bytes. */
export async function hashFile(bytes: Uint8Array): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const slice of slices(bytes)) hash.update(slice);
  return hash.digest('hex');
}

const formatFileName = ({ name = '' }: File): string =>
  [...name.replace(/\p{Cc}/gu, ' ')].slice(0, 60).join('') || 'A file';
