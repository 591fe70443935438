import type { Feature } from '../../core/feature.ts';
import { previews } from '../previews/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    embedding: typeof en;
  }
}

export const embedding: Feature = {
  name: 'embedding',
  does: 'Other sites show a public project as a card, which they find by oEmbed.',
  uses: [previews],
  pages: () => import('./pages.tsx'),
  staticOmissions: ['.share-embed'],
  texts: { en, de, es, ar },
};
