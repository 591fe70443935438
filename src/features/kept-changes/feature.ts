import type { Feature } from '../../core/feature.ts';
import { findUsedNumber, forgetFiles, forgetWords } from './kept-changes.ts';
import { keptChangesTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    keptChanges: typeof en;
  }
}

export const keptChanges: Feature = {
  name: 'kept-changes',
  does: 'People work on what is published, and show the changes when they are ready.',
  tables: [keptChangesTable],
  lines: [{ after: 'erased', load: async () => (await import('./dump.ts')).keptChangesKind }],
  resources: { before: '/api/v1/projects/:id/media/', load: () => import('./api.ts') },
  pages: () => import('./pages.tsx'),
  project: { forgetWords, findUsedNumber },
  whenAccountDeleted: forgetFiles,
  texts: { en, de, es, ar },
};
