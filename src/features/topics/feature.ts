import type { Feature } from '../../core/feature.ts';
import { moderation } from '../moderation/feature.ts';
import { topicTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    topics: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureChanges {
    topic: 'changed' | 'imported';
  }
}

declare module '../../core/decisions/actions.ts' {
  interface FeatureDecisions {
    described_tag: 'silent';
  }
}

declare module '../../core/viewer/permissions.ts' {
  interface FeaturePermissions {
    describeTag: true;
  }
}

export const topics: Feature = {
  name: 'topics',
  does: 'Moderators give a tag a sentence and a picture, which stand above its projects.',
  uses: [moderation],
  tables: [topicTable],
  lines: [{ after: 'erased', load: async () => (await import('./dump.ts')).topicKind }],
  pages: () => import('./pages.tsx'),
  permissions: {
    describeTag: { description: 'write what stands above the projects with a tag', rule: 'moderator' },
  },
  /** The subject is 0. */
  changes: { topic: { invalidates: 'listings', actions: { changed: {}, imported: {} } } },
  decisions: { after: 'changed', actions: { described_tag: 'silent' } },
  texts: { en, de, es, ar },
};
