// The content of a file, in parts that fit a line.

import { OperatorError } from '../../common/errors.ts';
import type { FileStore } from '../../files/store.ts';
import { defineLine, type LineOf } from '../line-format.ts';
import { sha256, text, wholeNumber } from '../line-members.ts';
import type { Size } from './media.ts';

/** The largest accepted file, which is held in memory until its hash is verified. */
const maxFileBytes = 1000 * 1024 * 1024;
const maxBase64Length = 2 * 1024 * 1024;
const bytesPerLine = 384 * 1024;

export const bytesLine = defineLine('bytes', {
  hash: sha256('a SHA-256'),
  of: wholeNumber(1, maxFileBytes),
  at: wholeNumber(0, maxFileBytes),
  base64: text({ maxLength: maxBase64Length, pattern: [/^[A-Za-z0-9+/]+={0,2}$/, 'base64'] }),
});

export type BytesLine = LineOf<typeof bytesLine>;

export async function* generateBytesLines(
  files: FileStore,
  { hash, bytes: of }: Pick<Size, 'hash' | 'bytes'>,
): AsyncGenerator<string> {
  if ((await files.size(hash)) !== of)
    throw new OperatorError(
      `The file ${hash} is missing from the file store. Run vitrine check for details.`,
    );
  let at = 0;
  do {
    const chunk = await files.read(hash, at, Math.min(of, at + bytesPerLine));
    yield bytesLine.stringify({ hash, of, at, base64: Buffer.from(chunk).toString('base64') });
    at += bytesPerLine;
  } while (at < of);
}
