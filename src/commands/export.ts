import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, OperatorError } from '../errors.ts';
import { finishUpdates } from '../gallery/contributors/updates.ts';
import { estimateLineCount, exportDump } from '../gallery/dump/export.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

export const exportCommand: Command = {
  usage: 'export FILE',
  help: 'Writes the whole gallery as a dump; - for standard output.',
  settings: ['database', 'files'],
  async run(args, environment) {
    const { settings, operands } = readSettings(['database', 'files'], args, environment);
    const [file, ...extra] = operands;
    if (!file || extra.length) throw new OperatorError('export needs one file; - is standard output.');
    const out = file === '-' ? openStandardOutput() : await openFileOutput(file);
    let progress = createProgressBar(undefined);
    try {
      const { database, files } = await openDatabaseAndFiles(settings);
      try {
        await finishUpdates(database);
        progress = createProgressBar(await estimateLineCount(database));
        let exportedLines = 0;
        const lines = await exportDump(database, files, async (text, count) => {
          await out.write(text);
          exportedLines += count;
          progress.show(exportedLines);
        });
        await out.finish();
        progress.end();
        process.stderr.write(`${lines} lines exported.\n`);
      } finally {
        await database.close();
      }
    } catch (error) {
      // The reader of the pipe has closed it, as `head` does.
      if (errorCode(error) !== 'EPIPE') throw error;
    } finally {
      progress.end();
      await out.discard();
    }
  },
};

interface Output {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  /** Deletes an unfinished file; does nothing after `finish`. */
  discard(): Promise<void>;
}

function openStandardOutput(): Output {
  const failed = once(process.stdout, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  return {
    async write(text) {
      if (!process.stdout.write(text)) await Promise.race([once(process.stdout, 'drain'), failed]);
    },
    async finish() {},
    async discard() {},
  };
}

/** A regular file gets its name when it is complete. Only the owner may read a new file: it contains private data. */
async function openFileOutput(file: string): Promise<Output> {
  if (!existsSync(dirname(file))) throw new OperatorError(`The folder of ${file} does not exist.`);
  const stats = existsSync(file) ? statSync(file) : undefined;
  if (stats?.isDirectory()) throw new OperatorError(`${file} is a folder.`);
  const target = stats ? realpathSync(file) : file;
  const isWrittenInPlace = stats !== undefined && !stats.isFile();
  const path = isWrittenInPlace ? target : `${target}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
  const handle = await open(path, isWrittenInPlace ? 'w' : 'wx', stats ? stats.mode & 0o777 : 0o600);
  let isUnfinished = true;
  return {
    async write(text) {
      await handle.writeFile(text);
    },
    async finish() {
      if (!isWrittenInPlace) await handle.sync();
      await handle.close();
      if (!isWrittenInPlace) await rename(path, target);
      isUnfinished = false;
    },
    async discard() {
      if (!isUnfinished) return;
      await handle.close().catch(() => {});
      if (!isWrittenInPlace) await rm(path, { force: true }).catch(() => {});
    },
  };
}
