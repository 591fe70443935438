import { defineCommand } from '../../core/commands/command.ts';
import { listFeatures } from '../../core/feature.ts';

export const featuresCommand = defineCommand({
  usage: 'features',
  help: 'Lists what the gallery can do beside its record of projects, with a sentence each.',
  examples: ['vitrine features', 'vitrine features --json'],
  settings: ['json'],
  async run({ json }) {
    const listed = listFeatures().map(({ name, does, uses = [] }) => ({
      name,
      does,
      uses: uses.map((used) => used.name),
    }));
    const width = Math.max(...listed.map(({ name }) => name.length));
    if (json) console.log(JSON.stringify(listed));
    else for (const { name, does } of listed) console.log(`${name.padEnd(width)}  ${does}`);
    return undefined;
  },
});
