import { generatePublicDump } from '../api/public-dump.ts';
import { OperatorError } from '../errors.ts';
import { ProjectFinder } from '../gallery/projects/find.ts';
import { savePublicDump } from '../gallery/public-dump.ts';
import { runJob } from '../gallery/scheduled-jobs.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';

const settingNames = ['database', 'files', 'timeZone', 'unlessNewer'] as const;

export const publicDumpJob = 'public dump';

export const publicDumpCommand: Command = {
  usage: 'public-dump',
  help: 'Makes the file of all public projects anew, which `serve --public-dump` offers.',
  settings: settingNames,
  async run(args, environment) {
    const { settings, operands } = readSettings(settingNames, args, environment);
    if (operands.length)
      throw new OperatorError(`public-dump takes no ${JSON.stringify(operands[0])}. See vitrine help.`);
    const { timeZone } = settings;
    const { database, files } = await openDatabaseAndFiles(settings);
    try {
      const projects = new ProjectFinder(database, timeZone);
      const outcome = await runJob(database, publicDumpJob, settings.unlessNewer ?? 0, () =>
        savePublicDump({ database, files }, generatePublicDump({ database, projects, timeZone })),
      );
      // The one that is being made may have begun before what the operator wants to be out of it.
      if (outcome === 'running' && settings.unlessNewer === undefined)
        throw new OperatorError(
          'Another process makes the public dump, or was killed some seconds ago. Try again in half a minute.',
        );
      if (outcome === 'running') console.log('Another process makes the public dump.');
      else if (outcome === 'recent') console.log('There is a newer public dump.');
      else
        console.log(
          `The public dump has ${outcome.projects} projects in ${outcome.bytes} bytes, SHA-256 ${outcome.hash}.`,
        );
    } finally {
      await database.close();
    }
    return 0;
  },
};
