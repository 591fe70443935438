import type { Feature } from '../../core/feature.ts';

export const publishLater: Feature = {
  name: 'publish-later',
  does: 'A draft has a time at which it is published.',
  neededBecause: 'drafts have a time at which they are published',
  work: async () => (await import('./publish-due.ts')).createPublishing,
};
