import { OperatorError } from '../common/errors.ts';
import { archiveChanges, changesPerFile } from '../gallery/change-archive/archive.ts';
import { defineCommand, isDone, plural, printMessage, runStoppableJob } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';

export const changeArchiveJob = 'archive of changes';

export const changesCommand = defineCommand({
  usage: 'changes archive',
  help: 'Moves changes that are older than `--keep-changes` into compressed files, at most ten million at once.',
  examples: ['vitrine changes archive --keep-changes 400d'],
  settings: ['database', 'files', 'keepChanges', 'unlessNewer'],
  operand: 'the word archive',
  async run(settings, operand) {
    const { keepChanges } = settings;
    if (operand !== 'archive' || keepChanges === undefined)
      throw new OperatorError('It is: vitrine changes archive --keep-changes 400d');
    await using gallery = await openDatabaseAndFiles(settings);
    const outcome = await runStoppableJob(gallery.database, changeArchiveJob, settings, async (confirm) => ({
      files: await archiveChanges(gallery, keepChanges, confirm),
    }));
    if (!isDone(outcome, settings, 'the archive of changes', 'archive of changes')) return 0;
    const { files } = outcome;
    if (files > 0) console.log(`${files * changesPerFile} changes moved into ${plural(files, 'file')}.`);
    else printMessage(`There are fewer than ${changesPerFile} such changes, which a file has.`);
    return 0;
  },
});
