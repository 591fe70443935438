import { errorCode, OperatorError } from '../errors.ts';
import { finishUpdates } from '../gallery/contributors/updates.ts';
import { openDumpOutput } from '../gallery/dump/dump-output.ts';
import { estimateLineCount, exportDump } from '../gallery/dump/export.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

export const exportCommand: Command = {
  usage: 'export FILE',
  help: 'Writes the whole gallery as a dump, compressed if the name ends in .zst; - for standard output.',
  settings: ['database', 'files'],
  async run(args, environment) {
    const { settings, operands } = readSettings(['database', 'files'], args, environment);
    const [file, ...extra] = operands;
    if (!file || extra.length) throw new OperatorError('export needs one file; - is standard output.');
    const out = await openDumpOutput(file);
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
