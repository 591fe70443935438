// `vitrine demo remove`: takes the demo out of a gallery that people use by now.

import { OperatorError } from '#common/errors.ts';
import { commandWithSubcommands, plural, printMessage } from '../../core/commands/command.ts';

export const demoCommand = commandWithSubcommands('demo', 'Takes the demo away.', ['vitrine demo remove'], {
  remove: {
    operands: '',
    help: 'Removes the projects and people of the demo, and leaves everything that others have made or changed.',
    async run(database) {
      const { hasDemo, removeDemo } = await import('./remove.ts');
      if (!(await hasDemo(database))) throw new OperatorError('The gallery has nothing of the demo.');
      printMessage(`${plural(await removeDemo(database, null), 'project')} of the demo removed.`);
    },
  },
});
