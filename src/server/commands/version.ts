import { version } from '../../../package.json';
import { defineCommand } from '../../core/commands/command.ts';
import { newest } from '../../core/migrations/newest.ts';

export const versionCommand = defineCommand({
  usage: 'version',
  help: 'Prints the version; with --json also those of Bun and of the schema, and the system.',
  examples: ['vitrine version', 'vitrine version --json'],
  settings: ['json'],
  async run({ json }) {
    const platform = `${process.platform}-${process.arch}`;
    console.log(json ? JSON.stringify({ version, bun: Bun.version, schema: newest, platform }) : version);
    return undefined;
  },
});
