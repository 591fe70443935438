import type { Feature } from '../../core/feature.ts';
import { profiles } from '../profiles/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    feeds: typeof en;
  }
}

export const feeds: Feature = {
  name: 'feeds',
  does: 'Programs read lists as feeds, and find all pages in a sitemap.',
  uses: [profiles],
  rootLinks: () => ['</.well-known/api-catalog>; rel="api-catalog"'],
  pages: () => import('./pages.ts'),
  texts: { en, de, es, ar },
};
