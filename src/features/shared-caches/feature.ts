import type { Feature } from '../../core/feature.ts';
import { checkSharedCacheSettings, settings } from './settings.ts';

export const sharedCaches: Feature = {
  name: 'shared-caches',
  does: 'Caches in front of the server keep what visitors get, and learn what has changed.',
  sharedCaching: async () => (await import('./cache-tags.ts')).createSharedCaching,
  work: async () => (await import('./purge.ts')).createPurging,
  settings: { after: 'cacheSize', definitions: settings },
  checkSettings: checkSharedCacheSettings,
};
