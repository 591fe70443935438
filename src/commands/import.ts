import { statSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import { readDump, requireReadable } from '../gallery/dump/dump-input.ts';
import { checkDump, type ImportCounts, importDump } from '../gallery/dump/import.ts';
import { type DumpProblems, maxProblems } from '../gallery/dump/problems.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

const settingNames = ['database', 'files', 'replaceAccounts', 'checkOnly'] as const;

export const importCommand: Command = {
  usage: 'import FILE…',
  help: 'Reads dumps into the database, each whole or not at all, and decompressed if its name ends in .zst; - for standard input.',
  settings: settingNames,
  async run(args, environment) {
    const { settings, operands } = readSettings(settingNames, args, environment);
    if (operands.length === 0) throw new OperatorError('import needs a file; - is standard input.');
    for (const file of operands) requireReadable(file);
    const { database, files } = await openDatabaseAndFiles(settings);
    const options = { replacesAccounts: settings.replaceAccounts };
    let brokenCount = 0;
    try {
      for (const file of operands) {
        const progress = createProgressBar(file === '-' ? undefined : statSync(file).size);
        const name = file === '-' ? 'standard input' : file;
        const chunks = readDump(file, progress.show);
        try {
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
        } finally {
          progress.end();
        }
      }
    } finally {
      await database.close();
    }
    return brokenCount > 0 ? 1 : 0;
  },
};

function printCounts(file: string, { contributors, projects, leftOutChanges }: ImportCounts): void {
  process.stderr.write(`${file}: ${contributors} contributors and ${projects} projects imported.\n`);
  if (leftOutChanges > 0)
    process.stderr.write(
      `The gallery has a change log of its own: the ${leftOutChanges} changes of the dump, with earlier versions of its projects, were left out.\n`,
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
