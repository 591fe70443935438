import { OperatorError } from '../errors.ts';
import { check } from '../gallery/check.ts';
import { openGallery } from '../gallery/open.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';

const shown = 20;

export const checkCommand: Command = {
  usage: 'check',
  help: 'Holds what is stored twice against what it follows from; exit code 1 when something is off.',
  settings: ['database', 'repair'],
  async run(args, environment) {
    const { settings, operands } = readSettings(['database', 'repair'], args, environment);
    if (operands.length)
      throw new OperatorError(`check takes no ${JSON.stringify(operands[0])}. See vitrine help.`);
    const database = await openGallery(settings.database);
    try {
      const findings = await check(database, settings.repair);
      for (const { what, projects } of findings) {
        const some = projects.slice(0, shown).join(', ');
        const more = projects.length > shown ? ` and ${projects.length - shown} more` : '';
        console.log(projects.length ? `${what}: ${some}${more}` : what);
      }
      if (findings.length === 0) console.log('All is well.');
      if (findings.length === 0 || !settings.repair) return findings.length ? 1 : 0;
      const left = await check(database, false);
      for (const { what } of left) console.log(`This could not be put right: ${what}.`);
      if (left.length === 0) console.log('Repaired.');
      return left.length ? 1 : 0;
    } finally {
      await database.close();
    }
  },
};
