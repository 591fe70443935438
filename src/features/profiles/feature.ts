import type { Feature } from '../../core/feature.ts';
import { moderation } from '../moderation/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    profiles: typeof en;
  }
}

export const profiles: Feature = {
  name: 'profiles',
  does: 'Everybody has a page with what they have published, and says a few words there.',
  neededBecause: 'the names on all other pages lead to those of people',
  uses: [moderation],
  resources: { before: '/api/v1/contributors/:id/report/', load: () => import('./api.ts') },
  pages: () => import('./pages.ts'),
  links: {
    account: [
      { href: '/account/profile/', text: 'profile.title', permission: 'changeAccount', after: '/account/' },
    ],
  },
  texts: { en, de, es, ar },
};
