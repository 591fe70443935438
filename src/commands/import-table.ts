// `vitrine import-table`: works that somebody has as a table, with files beside it.

import { dirname } from 'node:path';
import { OperatorError } from '../common/errors.ts';
import { getOrCreateSecret } from '../gallery/server-secrets.ts';
import { loadSignUpRules } from '../gallery/sign-in/sign-up-rules.ts';
import { requireReadable } from '../import-export/dump/dump-file.ts';
import { checkTable, importTable } from '../import-export/table/import.ts';
import { readTable } from '../import-export/table/read.ts';
import { defineSetting, defineSwitch } from '../settings/setting-values.ts';
import { defineCommand, printMessage } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

export const importTableCommand = defineCommand({
  usage: 'import-table FILE',
  help: 'Brings the works of a table (CSV) with the columns title, text, name, date, tags, file, license or link, as drafts.',
  examples: [
    'vitrine import-table works.csv --folder photos --check',
    'vitrine import-table works.csv --publish',
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
      help: 'Whose the works without a name are.',
      read: String,
    }),
    publish: defineSwitch('publish', 'Everybody sees the works at once. Otherwise they are drafts.'),
  },
  operand: 'a file, such as works.csv',
  async run(settings, file) {
    requireReadable(file);
    if (file === '-') throw new OperatorError('import-table needs a file: it reads the table twice.');
    const table = readTable(file);
    await using gallery = await openDatabaseAndFiles(settings);
    const { database } = gallery;
    const { shownName } = await loadSignUpRules(database, settings);
    using progress = createProgressBar(table.rows.length);
    const work = settings.checkOnly ? checkTable : importTable;
    const result = await work(
      {
        ...gallery,
        shownName,
        folder: settings.folder || dirname(file),
        secret: await getOrCreateSecret(database, 'sessions'),
        owner: settings.as,
        isPublished: settings.publish,
        report: progress.show,
      },
      table,
    );
    progress.end();
    const { brought, alreadyHere, problems } = result;
    if (table.otherColumns.length) printMessage(`Not used: the columns ${table.otherColumns.join(', ')}.`);
    for (const { line, text } of problems) printMessage(`${file}, line ${line}: ${text}`);
    const rest = table.rows.length - alreadyHere;
    if (settings.checkOnly) printMessage(`${rest} works are new, ${alreadyHere} are there already.`);
    else printMessage(`${brought} works brought, ${alreadyHere} were there already.`);
    if (problems.length === 0) return 0;
    printMessage(
      `${problems.length} problems${settings.checkOnly || brought > 0 ? '' : ': nothing was brought'}.`,
    );
    return 1;
  },
});
