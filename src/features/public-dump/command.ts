import { defineCommand, isDone, runStoppableJob } from '../../core/commands/command.ts';
import { openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import { ProjectFinder } from '../../projects/reading/find-projects.ts';

export const publicDumpJob = 'public dump';

export const publicDumpCommand = defineCommand({
  usage: 'public-dump',
  help: 'Makes the file of all public projects again, which `serve --public-dump` offers.',
  examples: ['vitrine public-dump --unless-newer 1d'],
  settings: ['database', 'files', 'timeZone', 'unlessNewer'],
  async run(settings) {
    await using gallery = await openDatabaseAndFiles(settings);
    const { database } = gallery;
    const { timeZone } = settings;
    const { savePublicDump } = await import('./public-dump.ts');
    const { generatePublicDump } = await import('../../projects/api/projects.ts');
    const projects = new ProjectFinder(database, timeZone);
    const outcome = await runStoppableJob(database, publicDumpJob, settings, () =>
      savePublicDump(gallery, generatePublicDump({ database, projects, timeZone })),
    );
    // The one that is being made may have begun before what the operator wants to be out of it.
    if (isDone(outcome, settings, 'the public dump', 'public dump'))
      console.log(
        `The public dump has ${outcome.projects} projects in ${outcome.bytes} bytes, SHA-256 ${outcome.hash}.`,
      );
    return 0;
  },
});
