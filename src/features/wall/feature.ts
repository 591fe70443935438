import { urlWithParameters } from '#rest/request-url.ts';
import type { Feature } from '../../core/feature.ts';
import { wallPath } from './path.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    wall: typeof en;
  }
}

export const wall: Feature = {
  name: 'wall',
  does: 'A projector shows the newest projects of a list, and new ones by themselves.',
  pages: () => import('./pages.tsx'),
  // A wall always has the newest first, or the order of a collection.
  listLinks: [{ href: (query) => urlWithParameters(wallPath, query, { ordering: '' }), text: 'wall.show' }],
  texts: { en, de, es, ar },
};
