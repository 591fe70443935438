// Where an import comes from: standard input, or a file, which is decompressed if its name ends in .zst or .gz.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { errorCode, OperatorError } from '../../common/errors.ts';

/** The DOM's types do not know it. */
const zstd = 'zstd' as CompressionFormat;

/** By the end of a file's name. */
const formats: Readonly<Record<string, CompressionFormat>> = { '.zst': zstd, '.gz': 'gzip' };

/** Undefined for a file that is not compressed. */
export const compressionOf = (file: string): CompressionFormat | undefined => formats[extname(file)];

export function requireReadable(file: string): void {
  if (file === '-') return;
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`);
  if (!statSync(file).isFile() && !statSync(file).isFIFO()) throw new OperatorError(`${file} is not a file.`);
  accessSync(file, constants.R_OK);
}

/** `-` is standard input. `progress` is called with the number of bytes of the file that were read. */
export function readDump(file: string, progress: (read: number) => void): AsyncIterable<Uint8Array> {
  let read = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      read += chunk.length;
      progress(read);
      controller.enqueue(chunk);
    },
  });
  const chunks = (file === '-' ? Bun.stdin : Bun.file(file)).stream().pipeThrough(counter);
  const compression = compressionOf(file);
  return compression ? decompress(file, chunks, compression) : chunks;
}

/** `file` is its name in messages. */
export async function* decompress(
  file: string,
  chunks: ReadableStream<Uint8Array<ArrayBuffer>>,
  compression = zstd,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks.pipeThrough(new DecompressionStream(compression));
  } catch (error) {
    // An error of the file has a code.
    if (errorCode(error) !== undefined) throw error;
    throw new OperatorError(
      `${file} cannot be decompressed: it is cut off, damaged or no ${compression} file. Nothing of this file was imported.`,
    );
  }
}
