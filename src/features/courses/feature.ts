import type { Feature } from '../../core/feature.ts';
import { classes } from '../classes/feature.ts';
import { collections } from '../collections/feature.ts';
import { linkedAccounts } from '../linked-accounts/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { checkLearningPlatformSettings, settings } from './settings.ts';
import { courseTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    courses: typeof en;
  }
}

export const courses: Feature = {
  name: 'courses',
  does: 'People come from courses of a learning platform, such as Moodle or Canvas (LTI), into their class.',
  uses: [signIn, linkedAccounts, collections, classes],
  tables: [courseTable],
  lines: [{ after: 'collection_person', load: async () => (await import('./dump.ts')).courseKind }],
  pages: () => import('./pages.tsx'),
  linksAccounts: ({ ltiPlatform }) => ltiPlatform !== '',
  settings: { after: 'passwords', definitions: settings },
  checkSettings: checkLearningPlatformSettings,
  texts: { en, de, es, ar },
};
