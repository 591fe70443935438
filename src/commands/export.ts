import { errorCode } from '../common/errors.ts';
import { finishUpdates } from '../gallery/accounts/contributor-updates.ts';
import { openDumpOutput } from '../import-export/dump/dump-output.ts';
import { estimateLineCount, exportDump } from '../import-export/dump/export.ts';
import { defineCommand, printMessage } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

export const exportCommand = defineCommand({
  usage: 'export FILE',
  help: 'Writes the whole gallery as a dump, compressed if the name ends in .zst; - for standard output.',
  examples: ['vitrine export gallery.ndjson.zst', 'vitrine export - | gzip > gallery.ndjson.gz'],
  settings: ['database', 'files'],
  operand: 'one file; - is standard output',
  async run(settings, file) {
    await using out = await openDumpOutput(file);
    try {
      await using gallery = await openDatabaseAndFiles(settings);
      const { database, files } = gallery;
      await finishUpdates(database);
      using progress = createProgressBar(await estimateLineCount(database));
      let exportedLines = 0;
      const lines = await exportDump(database, files, async (text, count) => {
        await out.write(text);
        exportedLines += count;
        progress.show(exportedLines);
      });
      await out.finish();
      progress.end();
      printMessage(`${lines} lines exported.`);
    } catch (error) {
      // The reader of the pipe has closed it, as `head` does.
      if (errorCode(error) !== 'EPIPE') throw error;
    }
    return 0;
  },
});
