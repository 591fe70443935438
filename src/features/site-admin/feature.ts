import type { Feature } from '../../core/feature.ts';
import { siteCommand } from './command.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    'site-admin': typeof en;
  }
}

export const siteAdmin: Feature = {
  name: 'site-admin',
  does: 'Admins set the name and the look of the site, its rules, and who may sign up.',
  neededBecause: 'admins decide who may sign up',
  pages: () => import('./site-page.tsx'),
  links: {
    'menu.end': [{ href: '/admin/site/', text: 'layout.siteSettings', permission: 'changeSite' }],
  },
  commands: [{ before: 'features', name: 'site', command: siteCommand }],
  texts: { en, de, es, ar },
};
