// Where an import comes from: standard input, or a file, which is decompressed if its name ends in .zst.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { errorCode, OperatorError } from '../../common/errors.ts';

export const isCompressed = (file: string): boolean => file.endsWith('.zst');

export function requireReadable(file: string): void {
  if (file === '-') return;
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`);
  if (!statSync(file).isFile() && !statSync(file).isFIFO()) throw new OperatorError(`${file} is not a file.`);
  accessSync(file, constants.R_OK);
}

/** The DOM's types do not know it. */
export const zstd = 'zstd' as CompressionFormat;

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
  return isCompressed(file) ? decompress(file, chunks) : chunks;
}

/** `file` is its name in messages. */
export async function* decompress(
  file: string,
  chunks: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks.pipeThrough(new DecompressionStream(zstd));
  } catch (error) {
    // An error of the file has a code.
    if (errorCode(error) !== undefined) throw error;
    throw new OperatorError(
      `${file} cannot be decompressed: it is cut off, damaged or no zstd file. Nothing of this file was imported.`,
    );
  }
}
