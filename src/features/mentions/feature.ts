import type { Feature } from '../../core/feature.ts';
import { notifyMentioned } from './notify-mentioned.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    mentions: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureNotifications {
    mentioned: true;
  }
}

export const mentions: Feature = {
  name: 'mentions',
  does: 'A name such as @ada in a text is a link to the person, who is notified.',
  pages: () => import('./pages.ts'),
  notifications: { mentioned: { subject: 'newProject', project: 'root', after: 'copied' } },
  project: { notify: notifyMentioned },
  texts: { en, de, es, ar },
};
