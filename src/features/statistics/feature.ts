import type { Feature } from '../../core/feature.ts';
import { weeklyCountTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';
import { countActivity } from './weekly-counts.ts';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    statistics: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureChanges {
    weekly_count: 'imported';
  }
}

declare module '../../core/viewer/permissions.ts' {
  interface FeaturePermissions {
    seeStatistics: true;
  }
}

export const statistics: Feature = {
  name: 'statistics',
  does: 'Moderators see how much is made, rated and read in each week. Nobody is tracked for it.',
  tables: [weeklyCountTable],
  lines: [{ after: 'site', load: async () => (await import('./dump.ts')).weeklyCountKind }],
  /** The subject is 0. */
  changes: { weekly_count: { invalidates: 'nothing', actions: { imported: {} } } },
  permissions: {
    seeStatistics: {
      description: 'see how much is made and read',
      rule: 'moderator',
      allowsReadOnlyKeys: true,
    },
  },
  project: {
    async storeRelated({ changeSet }, before, { content_type }) {
      if (!before) countActivity(changeSet, 'created', content_type);
    },
    afterFirstRating: ({ changeSet }, { content_type }) => countActivity(changeSet, 'rated', content_type),
  },
  pages: () => import('./page.tsx'),
  links: {
    'menu.end': [{ href: '/admin/statistics/', text: 'layout.statistics', permission: 'seeStatistics' }],
  },
  work: async () => (await import('./page-views.ts')).createSaving,
  texts: { en, de, es, ar },
};
