// Where an export goes: standard output, or a file, which is compressed if its name ends in .zst or .gz.

import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError, withPath } from '../../common/errors.ts';
import { compressionOf } from './dump-input.ts';

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
