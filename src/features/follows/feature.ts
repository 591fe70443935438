import type { Feature } from '../../core/feature.ts';
import { profiles } from '../profiles/feature.ts';
import { notifyFollowers } from './notify-followers.ts';
import { followingPath } from './path.ts';
import { followedContributorTable, followedTagTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    follows: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureNotifications {
    followed: true;
  }
}

export const follows: Feature = {
  name: 'follows',
  does: 'People follow others and tags, learn of new projects, and nobody else sees whom they follow.',
  uses: [profiles],
  tables: [followedContributorTable, followedTagTable],
  lines: [
    { after: 'avatar', load: async () => (await import('./dump.ts')).followedContributorKind },
    { after: 'avatar', load: async () => (await import('./dump.ts')).followedTagKind },
  ],
  resources: { after: '/api/v1/me/', load: () => import('./api.ts') },
  pages: () => import('./pages.tsx'),
  links: { menu: [{ href: followingPath, text: 'layout.following' }] },
  notifications: { followed: { subject: 'newProject', after: 'told' } },
  project: { notify: notifyFollowers },
  texts: { en, de, es, ar },
};
