import { once } from 'node:events';
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '../database/open.ts';
import { OperatorError } from '../errors.ts';
import { countLines, exportDump } from '../gallery/dump/export.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { progressBar } from './progress-bar.ts';

export const exportCommand: Command = {
  usage: 'export FILE',
  help: 'Writes the whole gallery as a dump; - for standard output.',
  settings: ['database'],
  async run(args, environment) {
    const { settings, operands } = readSettings(['database'], args, environment);
    const [file, ...more] = operands;
    if (file === undefined || more.length)
      throw new OperatorError('export needs one file; - is standard output.');
    if (file !== '-' && !existsSync(dirname(file)))
      throw new OperatorError(`The folder of ${file} does not exist.`);
    const database = await openDatabase(settings.database);
    const bar = progressBar(await countLines(database));
    // The file appears under its name when it is whole.
    const unfinished = `${file}.unfinished`;
    try {
      const out = file === '-' ? process.stdout : createWriteStream(unfinished);
      let shown = 0;
      const lines = await exportDump(database, async (text, count) => {
        if (!out.write(text)) await once(out, 'drain');
        shown += count;
        bar.show(shown);
      });
      if (file !== '-') {
        out.end();
        await once(out, 'finish');
        renameSync(unfinished, file);
      }
      bar.end();
      console.error(`${lines} lines exported.`);
    } catch (error) {
      const { code, path } = error as { code?: string; path?: string };
      if (code === 'EPIPE') return;
      if (path === unfinished || code === 'ENOSPC')
        throw new OperatorError(`${file} cannot be written: ${code}.`);
      throw error;
    } finally {
      bar.end();
      if (file !== '-') rmSync(unfinished, { force: true });
      await database.close();
    }
  },
};
