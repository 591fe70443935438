import { statSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import { importDump } from '../gallery/dump/import.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { readDump, requireReadable } from './dump-input.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

const settingNames = ['database', 'files', 'replaceAccounts'] as const;

export const importCommand: Command = {
  usage: 'import FILE…',
  help: 'Reads dumps into the database, each whole or not at all, and decompressed if its name ends in .zst; - for standard input.',
  settings: settingNames,
  async run(args, environment) {
    const { settings, operands } = readSettings(settingNames, args, environment);
    if (operands.length === 0) throw new OperatorError('import needs a file; - is standard input.');
    for (const file of operands) requireReadable(file);
    const { database, files } = await openDatabaseAndFiles(settings);
    try {
      for (const file of operands) {
        const progress = createProgressBar(file === '-' ? undefined : statSync(file).size);
        try {
          const name = file === '-' ? 'standard input' : file;
          const counts = await importDump(database, files, name, readDump(file, progress.show), {
            replacesAccounts: settings.replaceAccounts,
          });
          progress.end();
          process.stderr.write(
            `${file}: ${counts.contributors} contributors and ${counts.projects} projects imported.\n`,
          );
          if (counts.leftOutChanges > 0)
            process.stderr.write(
              `The gallery has a change log of its own: the ${counts.leftOutChanges} changes of the dump, with earlier versions of its projects, were left out.\n`,
            );
        } finally {
          progress.end();
        }
      }
    } finally {
      await database.close();
    }
  },
};
