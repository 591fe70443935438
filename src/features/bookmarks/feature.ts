import type { Feature } from '../../core/feature.ts';
import { bookmarkTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    bookmarks: typeof en;
  }
}

export const bookmarks: Feature = {
  name: 'bookmarks',
  does: 'People keep a list of projects that nobody else sees.',
  tables: [bookmarkTable],
  lines: [{ after: 'erased', load: async () => (await import('./dump.ts')).bookmarkKind }],
  resources: { before: '/api/v1/tags/', load: () => import('./api.ts') },
  pages: () => import('./pages.tsx'),
  links: { menu: [{ href: '/bookmarks/', text: 'bookmarks.title' }] },
  texts: { en, de, es, ar },
};
