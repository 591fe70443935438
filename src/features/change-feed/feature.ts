import type { Feature } from '../../core/feature.ts';
import { inMinutes } from '../../core/settings/setting-values.ts';
import { archive, changeArchiveJob, createChangesCommand } from './command.ts';
import { settings } from './settings.ts';

export const changeFeed: Feature = {
  name: 'change-feed',
  does: 'Programs and pages learn of changes: a list, a stream, and an archive of old ones.',
  neededBecause: 'pages show what is new from its stream',
  resources: { after: '/api/v1/tags/', load: () => import('./resources.ts') },
  schedule({ keepChanges }) {
    if (keepChanges === undefined) return undefined;
    return {
      name: 'The move of old changes',
      job: changeArchiveJob,
      everyMs: 600_000,
      args: ['changes', 'archive'],
      settings: { keepChanges: inMinutes(keepChanges), unlessNewer: '10m' },
    };
  },
  commands: [
    {
      before: 'copy',
      name: 'changes',
      get command() {
        return createChangesCommand();
      },
    },
  ],
  changesOperations: [archive],
  check: async (gallery) => (await import('./archive.ts')).checkArchive(gallery),
  settings: { definitions: settings },
};
