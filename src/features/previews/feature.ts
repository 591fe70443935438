import type { Feature } from '../../core/feature.ts';
import { profiles } from '../profiles/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    previews: typeof en;
  }
}

export const previews: Feature = {
  name: 'previews',
  does: 'A link to the gallery on another site has a picture with its title.',
  uses: [profiles],
  pages: () => import('./pages.tsx'),
  texts: { en, de, es, ar },
};
