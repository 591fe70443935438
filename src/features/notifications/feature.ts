import type { Feature } from '../../core/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    notifications: typeof en;
  }
}

declare module '../../core/mail/queue.ts' {
  interface FeatureMails {
    notifications: true;
  }
}

const link = { href: '/account/notifications/', text: 'notifications.title' } as const;

export const notifications: Feature = {
  name: 'notifications',
  does: 'People learn what others do with their projects: on a page, in a feed and by mail, as they choose.',
  uses: [signIn],
  lines: [
    { after: 'site', load: async () => (await import('./dump.ts')).createNotificationKind() },
    { after: 'site', load: async () => (await import('./dump.ts')).createSettingKind() },
  ],
  mails: { notifications: { load: async () => (await import('./mail-text.ts')).composeNotifications } },
  tasks: {
    notifications: {
      everyMs: 24 * 3600_000,
      run: async (database, confirm) => (await import('./sweep.ts')).sweepNotifications(database, confirm),
    },
  },
  work: async () => (await import('./mails.ts')).createQueueing,
  resources: {
    after: '/api/v1/me/',
    load: async () => ({ resources: (await import('./api.ts')).createResources() }),
  },
  pages: () => import('./pages.ts'),
  links: {
    bell: [link],
    account: [{ ...link, after: '/account/profile/' }],
  },
  texts: { en, de, es, ar },
};
