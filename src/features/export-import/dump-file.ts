// Where an import comes from: standard input, or a file, which is decompressed if its name ends in .zst or .gz.

import { once } from 'node:events';
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { errorCode, OperatorError, withPath } from '#common/errors.ts';

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

// Where an export goes: standard output, or a file, which is compressed if its name ends in .zst or .gz.

/** When it is disposed of, an unfinished file is deleted. */
interface DumpOutput extends AsyncDisposable {
  write(content: string | Uint8Array): Promise<void>;
  finish(): Promise<void>;
}

/** `-` is standard output. */
export async function openDumpOutput(file: string): Promise<DumpOutput> {
  if (file === '-') return openStandardOutput();
  const output = await openFileOutput(file);
  const compression = compressionOf(file);
  return compression ? compress(output, compression) : output;
}

/** Waits for the output, so that no more than a few blocks are in memory. */
function compress(output: DumpOutput, compression: CompressionFormat): DumpOutput {
  const { readable, writable } = new CompressionStream(compression);
  const writer = writable.getWriter();
  const copying = (async () => {
    for await (const block of readable) await output.write(block);
  })();
  copying.catch(() => {});
  // If the output fails, the writer waits for ever or fails without a reason.
  const unlessOutputFails = (written: Promise<void>) => Promise.race([written, copying]).catch(() => copying);
  return {
    async write(content) {
      await unlessOutputFails(writer.write(Buffer.from(content)));
    },
    async finish() {
      await unlessOutputFails(writer.close());
      await copying;
      await output.finish();
    },
    async [Symbol.asyncDispose]() {
      writer.abort().catch(() => {});
      await output[Symbol.asyncDispose]();
    },
  };
}

function openStandardOutput(): DumpOutput {
  const failed = withPath(
    'standard output',
    once(process.stdout, 'error').then(([error]) => Promise.reject(error)),
  );
  failed.catch(() => {});
  return {
    async write(content) {
      if (!process.stdout.write(content)) await Promise.race([once(process.stdout, 'drain'), failed]);
    },
    async finish() {},
    async [Symbol.asyncDispose]() {},
  };
}

/** A regular file gets its name when it is complete. Only the owner may read a new file: it contains private data. */
async function openFileOutput(file: string): Promise<DumpOutput> {
  if (!existsSync(dirname(file))) throw new OperatorError(`The folder of ${file} does not exist.`);
  const stats = existsSync(file) ? statSync(file) : undefined;
  if (stats?.isDirectory()) throw new OperatorError(`${file} is a folder.`);
  const target = stats ? realpathSync(file) : file;
  const isWrittenInPlace = stats !== undefined && !stats.isFile();
  const path = isWrittenInPlace ? target : `${target}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
  const handle = await open(path, isWrittenInPlace ? 'w' : 'wx', stats ? stats.mode & 0o777 : 0o600);
  let isUnfinished = true;
  return {
    async write(content) {
      await withPath(file, handle.writeFile(content));
    },
    async finish() {
      if (!isWrittenInPlace) await withPath(file, handle.sync());
      await handle.close();
      if (!isWrittenInPlace) await rename(path, target);
      isUnfinished = false;
    },
    async [Symbol.asyncDispose]() {
      if (!isUnfinished) return;
      await handle.close().catch(() => {});
      if (!isWrittenInPlace) await rm(path, { force: true }).catch(() => {});
    },
  };
}
