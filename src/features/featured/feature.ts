import type { Feature } from '../../core/feature.ts';
import { moderation } from '../moderation/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    featured: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureNotifications {
    featured: true;
  }
}

declare module '../../core/viewer/permissions.ts' {
  interface FeaturePermissions {
    featureProject: true;
  }
}

export const featured: Feature = {
  name: 'featured',
  does: 'Moderators choose the projects with which the home page begins.',
  uses: [moderation],
  permissions: { featureProject: { description: 'feature a project on the home page', rule: 'moderator' } },
  resources: { after: '/api/v1/projects/:id/answer/', load: () => import('./api.ts') },
  pages: () => import('./pages.tsx'),
  notifications: { featured: { subject: 'project', after: 'accepted' } },
  texts: { en, de, es, ar },
};
