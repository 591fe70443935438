import type { Feature } from '../../core/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    history: typeof en;
  }
}

export const history: Feature = {
  name: 'history',
  does: 'A project keeps its earlier versions, which are compared, restored and erased.',
  neededBecause: 'people see what was changed, and erase what an earlier version said',
  resources: { before: '/api/v1/projects/:id/rating/', load: () => import('./api.ts') },
  pages: () => import('./pages.ts'),
  staticProjectPages: ['history/'],
  comparedResources: ['history/'],
  texts: { en, de, es, ar },
};
