import { statSync } from 'node:fs';
import { errorCode, OperatorError } from '#common/errors.ts';
import { type Command, defineCommand, printGallery, printMessage } from '../../core/commands/command.ts';
import { openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import { createProgressBar } from '../../core/commands/progress-bar.ts';
import { type DumpProblems, maxProblems } from '../../core/dump/problems.ts';
import { pickSettings, readSettings } from '../../core/settings/settings.ts';
import { finishUpdates } from '../../projects/people/contributor-updates.ts';
import { openDumpOutput, readDump, requireReadable } from './dump-file.ts';
import { estimateLineCount, exportDump } from './export.ts';
import { checkDump, type ImportCounts, importDump } from './import.ts';

const findSettings = () => pickSettings(['database', 'files', 'replaceAccounts', 'checkOnly']);

export const importCommand: Command = {
  usage: 'import FILE…',
  help: 'Reads dumps into the database, each whole or not at all, and decompressed if its name ends in .zst or .gz; - for standard input.',
  examples: [
    'vitrine import --database gallery.sqlite dump.ndjson',
    'vitrine import --check dump.ndjson.zst',
  ],
  get settings() {
    return findSettings();
  },
  async run(args, environment) {
    const { settings, operands } = readSettings(findSettings(), args, environment);
    if (operands.length === 0) throw new OperatorError('import needs a file; - is standard input.');
    for (const file of operands) requireReadable(file);
    await using gallery = await openDatabaseAndFiles(settings, undefined, { mustExist: false });
    const { database, files } = gallery;
    const options = { replacesAccounts: settings.replaceAccounts };
    let brokenCount = 0;
    for (const file of operands) {
      using progress = createProgressBar(file === '-' ? undefined : statSync(file).size);
      const name = file === '-' ? 'standard input' : file;
      const chunks = readDump(file, progress.show);
      if (settings.checkOnly) {
        const problems = await checkDump(database, files, name, chunks, options);
        progress.end();
        printProblems(name, problems);
        brokenCount += problems.brokenCount;
      } else {
        const counts = await importDump(database, files, name, chunks, options);
        progress.end();
        printCounts(file, counts);
      }
    }
    if (!settings.checkOnly) printGallery(settings);
    return brokenCount > 0 ? 1 : 0;
  },
};

function printCounts(file: string, { contributors, projects, leftOutChanges }: ImportCounts): void {
  printMessage(`${file}: ${contributors} contributors and ${projects} projects imported.`);
  if (leftOutChanges > 0)
    printMessage(
      `The gallery has a change log of its own: the ${leftOutChanges} changes of the dump, with earlier versions of its projects, were left out.`,
    );
}

function printProblems(name: string, problems: DumpProblems): void {
  const listed = problems.list();
  for (const { lineNumber, isBroken, reason } of listed) {
    const place = lineNumber === undefined ? name : `${name}:${lineNumber}`;
    console.log(`${place}: ${isBroken ? 'broken' : 'unusual'}: ${reason}`);
  }
  const { brokenCount, unusualCount } = problems;
  const rest = brokenCount + unusualCount > listed.length ? ` The first ${listed.length} are listed.` : '';
  const end = brokenCount >= maxProblems ? ' The check ended there.' : '';
  console.log(
    brokenCount + unusualCount === 0
      ? `${name}: All is well.`
      : `${name}: ${brokenCount} broken, ${unusualCount} unusual.${rest}${end}`,
  );
}

export const exportCommand = defineCommand({
  usage: 'export FILE',
  help: 'Writes the whole gallery as a dump, compressed if the name ends in .zst or .gz; - for standard output.',
  examples: ['vitrine export gallery.ndjson.zst', 'vitrine export gallery.ndjson.gz'],
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
