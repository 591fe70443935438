// Files as lines of a dump: what is known of a file, and behind it the bytes that no line before has brought, in parts
// that a line can well hold.

import sql, { join } from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';
import { OperatorError } from '../../errors.ts';
import type { Files } from '../../files/open.ts';
import { eachFile } from '../media/find.ts';
import type { Media, Size } from '../media/media.ts';
import { formatLine } from './line.ts';

const bytesInLine = 384 * 1024;

/** Of all projects, in the order of their ids. */
export async function* mediaLines(reads: Reads, files: Files): AsyncGenerator<string> {
  for await (const media of eachFile(reads)) {
    yield mediaLine(media);
    const earlier = await broughtBefore(reads, media);
    for (const size of media.sizes) if (!earlier.has(size.hash)) yield* bytesLines(files, size);
  }
}

export function mediaLine({ type, sizes, ...media }: Media): string {
  return formatLine({ ...media, type: 'media', media_type: type, sizes: [...sizes] });
}

/** Copies have the files of what they were copied from: the first to have some bytes brings them. */
async function broughtBefore(reads: Reads, { project, number, sizes }: Media): Promise<Set<string>> {
  const rows = await reads.all<{ hash: string }>(
    sql`select distinct hash from media_size where hash in (${join(sizes.map(({ hash }) => hash))})
          and (project, number) < (${project}, ${number})`,
  );
  return new Set(rows.map(({ hash }) => hash));
}

export async function* bytesLines(files: Files, { hash, bytes: of }: Size): AsyncGenerator<string> {
  if ((await files.size(hash)) !== of)
    throw new OperatorError(`The file ${hash} is not where files are. vitrine check tells more.`);
  let at = 0;
  do {
    const part = await files.bytes(hash, at, Math.min(of, at + bytesInLine));
    yield formatLine({ type: 'bytes', hash, of, at, base64: Buffer.from(part).toString('base64') });
    at += bytesInLine;
  } while (at < of);
}
