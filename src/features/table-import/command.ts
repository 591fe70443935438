// `vitrine import-table`: projects in a table, with files beside it.

import { dirname } from 'node:path';
import { loadSignUpRules } from '../../core/accounts/sign-up-rules.ts';
import { defineCommand, plural, printGallery, printMessage } from '../../core/commands/command.ts';
import { openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import { createProgressBar } from '../../core/commands/progress-bar.ts';
import { getOrCreateSecret } from '../../core/server-secrets.ts';
import { defineSetting, defineSwitch } from '../../core/settings/setting-values.ts';
import { requireReadable } from '../export-import/dump-file.ts';
import { checkTable, importTable } from './import.ts';
import { readTable } from './read-table.ts';

export const importTableCommand = defineCommand({
  usage: 'import-table FILE',
  help: 'Imports the projects of a table (CSV) with the columns title, text, name, date, tags, file, license or link, as drafts; - for standard input.',
  examples: [
    'vitrine import-table projects.csv --folder photos --check',
    'vitrine import-table projects.csv --publish',
  ],
  settings: ['database', 'files', 'signUp', 'names', 'checkOnly'],
  moreSettings: {
    folder: defineSetting({
      flag: 'folder',
      placeholder: 'FOLDER',
      help: 'Where the files are that the table names; by default the folder of the table.',
      read: String,
    }),
    as: defineSetting({
      flag: 'as',
      placeholder: 'USERNAME',
      help: 'The account that gets the projects without a name.',
      read: String,
    }),
    publish: defineSwitch('publish', 'Everybody sees the projects at once. Otherwise they are drafts.'),
  },
  operand: 'a file, such as projects.csv',
  async run(settings, file) {
    requireReadable(file);
    const table = readTable(file);
    await using gallery = await openDatabaseAndFiles(settings);
    const { database } = gallery;
    const { shownName } = await loadSignUpRules(database, settings);
    using progress = createProgressBar(table.rows.length);
    const run = settings.checkOnly ? checkTable : importTable;
    const result = await run(
      {
        ...gallery,
        shownName,
        folder: settings.folder || dirname(file),
        secret: await getOrCreateSecret(database, 'imports'),
        owner: settings.as,
        isPublished: settings.publish,
        report: progress.show,
      },
      table,
    );
    progress.end();
    const { imported, existing, problems } = result;
    if (table.otherColumns.length) printMessage(`Not used: the columns ${table.otherColumns.join(', ')}.`);
    for (const { line, text } of problems) printMessage(`${file}, line ${line}: ${text}`);
    const rest = table.rows.length - existing;
    if (settings.checkOnly) printMessage(`${plural(rest, 'new project')}, ${existing} exist already.`);
    else printMessage(`${plural(imported, 'project')} imported, ${existing} existed already.`);
    if (problems.length > 0)
      printMessage(
        `${plural(problems.length, 'problem')}${settings.checkOnly || imported > 0 ? '' : ': nothing was imported'}.`,
      );
    if (imported > 0) printGallery(settings);
    return problems.length > 0 ? 1 : 0;
  },
});
