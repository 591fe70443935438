import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../errors.ts';
import { countLines, exportDump } from '../gallery/dump/export.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { openBoth } from './open.ts';
import { progressBar } from './progress-bar.ts';

export const exportCommand: Command = {
  usage: 'export FILE',
  help: 'Writes the whole gallery as a dump; - for standard output.',
  settings: ['database', 'files'],
  async run(args, environment) {
    const { settings, operands } = readSettings(['database', 'files'], args, environment);
    const [file, ...more] = operands;
    if (!file || more.length) throw new OperatorError('export needs one file; - is standard output.');
    const out = file === '-' ? standardOutput() : await fileOutput(file);
    let bar = progressBar(undefined);
    try {
      const { database, files } = await openBoth(settings);
      try {
        bar = progressBar(await countLines(database));
        let shown = 0;
        const lines = await exportDump(database, files, async (text, count) => {
          await out.write(text);
          shown += count;
          bar.show(shown);
        });
        await out.finish();
        bar.end();
        process.stderr.write(`${lines} lines exported.\n`);
      } finally {
        await database.close();
      }
    } catch (error) {
      // Whoever reads from us has seen enough.
      if ((error as { code?: string }).code !== 'EPIPE') throw error;
    } finally {
      bar.end();
      await out.giveUp();
    }
  },
};

interface Output {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  /** After `finish` there is nothing to give up. */
  giveUp(): Promise<void>;
}

function standardOutput(): Output {
  const failed = once(process.stdout, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  return {
    async write(text) {
      if (!process.stdout.write(text)) await Promise.race([once(process.stdout, 'drain'), failed]);
    },
    async finish() {},
    async giveUp() {},
  };
}

/** A regular file appears under its name when it is whole, and for nobody else's eyes: it holds what is private. */
async function fileOutput(file: string): Promise<Output> {
  if (!existsSync(dirname(file))) throw new OperatorError(`The folder of ${file} does not exist.`);
  const present = existsSync(file) ? statSync(file) : undefined;
  if (present?.isDirectory()) throw new OperatorError(`${file} is a folder.`);
  const target = present ? realpathSync(file) : file;
  const inPlace = present !== undefined && !present.isFile();
  const path = inPlace ? target : `${target}.${crypto.randomUUID().slice(0, 8)}.unfinished`;
  const handle = await open(path, inPlace ? 'w' : 'wx', present ? present.mode & 0o777 : 0o600);
  let begun = true;
  return {
    async write(text) {
      await handle.writeFile(text);
    },
    async finish() {
      if (!inPlace) await handle.sync();
      await handle.close();
      if (!inPlace) await rename(path, target);
      begun = false;
    },
    async giveUp() {
      if (!begun) return;
      await handle.close().catch(() => {});
      if (!inPlace) await rm(path, { force: true }).catch(() => {});
    },
  };
}
