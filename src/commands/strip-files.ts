import { stripStoredFiles } from '../gallery/projects/writing/strip-files.ts';
import { defineCommand } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';
import { createProgressBar } from './progress-bar.ts';

const maxShownIds = 20;

export const stripFilesCommand = defineCommand({
  usage: 'strip-files',
  help: 'Takes names, places and times out of files that an earlier version stored; exit code 1 if some cannot be read.',
  examples: ['vitrine strip-files'],
  settings: ['database', 'files'],
  async run(settings) {
    await using gallery = await openDatabaseAndFiles(settings);
    using progress = createProgressBar(undefined);
    const { read, changed, unreadable } = await stripStoredFiles(gallery, (done) => progress.show(done));
    progress.end();
    console.log(`${read} files read, ${changed} changed.`);
    if (unreadable.size === 0) return 0;
    const shown = [...unreadable].slice(0, maxShownIds).join(', ');
    const rest = unreadable.size > maxShownIds ? ` and ${unreadable.size - maxShownIds} more` : '';
    console.log(`These projects have files that cannot be read, and stay as they are: ${shown}${rest}.`);
    return 1;
  },
});
