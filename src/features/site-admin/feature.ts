import type { Feature } from '../../core/feature.ts';
import { siteCommand } from './command.ts';

export const siteAdmin: Feature = {
  name: 'site-admin',
  does: 'Admins set the name and the look of the site, its rules, and who may sign up.',
  neededBecause: 'admins decide who may sign up',
  pages: () => import('./site-page.tsx'),
  links: {
    'menu.running': [{ href: '/admin/site/', text: 'layout.siteSettings', permission: 'changeSite' }],
  },
  commands: [{ before: 'features', name: 'site', command: siteCommand }],
};
