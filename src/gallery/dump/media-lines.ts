// Dump lines for files: a line that describes the file, then the bytes that no earlier line contained, in parts that
// fit a line.

import sql, { join } from 'sql-template-tag';
import type { Reader } from '../../database/open.ts';
import { OperatorError } from '../../errors.ts';
import type { FileStore } from '../../files/open.ts';
import { iterateMedia } from '../media/find.ts';
import type { Media, Size } from '../media/media.ts';
import { formatLine } from './line.ts';

const bytesPerLine = 384 * 1024;

/** The files of all projects, in the order of their ids. */
export async function* generateMediaLines(reader: Reader, files: FileStore): AsyncGenerator<string> {
  for await (const media of iterateMedia(reader)) {
    yield formatMediaLine(media);
    const earlier = await findEarlierHashes(reader, media);
    for (const size of media.sizes) if (!earlier.has(size.hash)) yield* generateBytesLines(files, size);
  }
}

export function formatMediaLine({ type, sizes, ...media }: Media): string {
  return formatLine({ ...media, type: 'media', media_type: type, sizes: [...sizes] });
}

/** Copies share the files of their source: only the first file with a hash brings its bytes. */
async function findEarlierHashes(reader: Reader, { project, number, sizes }: Media): Promise<Set<string>> {
  const rows = await reader.all<{ hash: string }>(
    sql`select distinct hash from media_size where hash in (${join(sizes.map(({ hash }) => hash))})
          and (project, number) < (${project}, ${number})`,
  );
  return new Set(rows.map(({ hash }) => hash));
}

export async function* generateBytesLines(
  files: FileStore,
  { hash, bytes: of }: Size,
): AsyncGenerator<string> {
  if ((await files.size(hash)) !== of)
    throw new OperatorError(
      `The file ${hash} is missing from the file store. Run vitrine check for details.`,
    );
  let at = 0;
  do {
    const chunk = await files.read(hash, at, Math.min(of, at + bytesPerLine));
    yield formatLine({ type: 'bytes', hash, of, at, base64: Buffer.from(chunk).toString('base64') });
    at += bytesPerLine;
  } while (at < of);
}
