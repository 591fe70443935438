import type { Feature } from '../../core/feature.ts';
import { moderation } from '../moderation/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    review: typeof en;
  }
}

declare module '../../core/viewer/permissions.ts' {
  interface FeaturePermissions {
    review: true;
  }
}

export const review: Feature = {
  name: 'review',
  does: 'Works of people who are not trusted yet wait until a moderator, or a teacher, approves them or returns them.',
  uses: [moderation],
  neededBecause: 'what waits for a review would wait for ever',
  resources: { after: '/api/v1/projects/:id/restore/', load: () => import('./api.ts') },
  pages: () => import('./waiting-page.tsx'),
  links: {
    moderation: [{ href: '/moderation/waiting/', text: 'moderation.waiting', after: '/moderation/' }],
  },
  permissions: { review: { description: 'approve what waits, and return it', rule: 'reviewer' } },
  texts: { en, de, es, ar },
};
