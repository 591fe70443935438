import { OperatorError } from '../errors.ts';
import { checkGallery } from '../gallery/check.ts';
import { findProjectsWithMissingFiles } from '../gallery/media/missing-files.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { openDatabaseAndFiles } from './open.ts';

const maxShownIds = 20;

export const checkCommand: Command = {
  usage: 'check',
  help: 'Compares derived data with its sources; exit code 1 if something is wrong.',
  settings: ['database', 'files', 'repair'],
  async run(args, environment) {
    const { settings, operands } = readSettings(['database', 'files', 'repair'], args, environment);
    if (operands.length)
      throw new OperatorError(`check takes no ${JSON.stringify(operands[0])}. See vitrine help.`);
    const { database, files } = await openDatabaseAndFiles(settings);
    const runChecks = async (repair: boolean) => {
      const findings = await checkGallery(database, repair);
      const projects = await findProjectsWithMissingFiles(database, files);
      return projects.length
        ? [...findings, { problem: 'the bytes of a file are missing', projects }]
        : findings;
    };
    try {
      const findings = await runChecks(settings.repair);
      for (const { problem, projects } of findings) {
        const ids = projects.slice(0, maxShownIds).join(', ');
        const rest = projects.length > maxShownIds ? ` and ${projects.length - maxShownIds} more` : '';
        console.log(projects.length ? `${problem}: ${ids}${rest}` : problem);
      }
      if (findings.length === 0) console.log('All is well.');
      if (findings.length === 0 || !settings.repair) return findings.length ? 1 : 0;
      const remaining = await runChecks(false);
      for (const { problem } of remaining) console.log(`This could not be put right: ${problem}.`);
      if (remaining.length === 0) console.log('Repaired.');
      return remaining.length ? 1 : 0;
    } finally {
      await database.close();
    }
  },
};
