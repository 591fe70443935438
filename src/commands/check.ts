import { OperatorError } from '../errors.ts';
import { check } from '../gallery/check.ts';
import { missingFiles } from '../gallery/media/missing.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';
import { openBoth } from './open.ts';

const shown = 20;

export const checkCommand: Command = {
  usage: 'check',
  help: 'Holds what is stored twice against what it follows from; exit code 1 when something is off.',
  settings: ['database', 'files', 'repair'],
  async run(args, environment) {
    const { settings, operands } = readSettings(['database', 'files', 'repair'], args, environment);
    if (operands.length)
      throw new OperatorError(`check takes no ${JSON.stringify(operands[0])}. See vitrine help.`);
    const { database, files } = await openBoth(settings);
    const look = async (repair: boolean) => {
      const findings = await check(database, repair);
      const projects = await missingFiles(database, files);
      return projects.length
        ? [...findings, { what: 'the bytes of a file are missing', projects }]
        : findings;
    };
    try {
      const findings = await look(settings.repair);
      for (const { what, projects } of findings) {
        const some = projects.slice(0, shown).join(', ');
        const more = projects.length > shown ? ` and ${projects.length - shown} more` : '';
        console.log(projects.length ? `${what}: ${some}${more}` : what);
      }
      if (findings.length === 0) console.log('All is well.');
      if (findings.length === 0 || !settings.repair) return findings.length ? 1 : 0;
      const left = await look(false);
      for (const { what } of left) console.log(`This could not be put right: ${what}.`);
      if (left.length === 0) console.log('Repaired.');
      return left.length ? 1 : 0;
    } finally {
      await database.close();
    }
  },
};
