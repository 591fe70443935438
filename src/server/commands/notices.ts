import { defineCommand } from '../../core/commands/command.ts';

export const noticesCommand = defineCommand({
  usage: 'notices',
  help: 'Prints the licences of all that is inside of the program.',
  examples: ['vitrine notices'],
  settings: [],
  async run() {
    const { default: notices } = await import('../../../THIRD-PARTY-NOTICES.txt', {
      with: { type: 'text' },
    });
    console.log(notices.trimEnd());
    return undefined;
  },
});
