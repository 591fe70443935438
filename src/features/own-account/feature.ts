import type { Feature } from '../../core/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { keyCommand } from './key-command.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';
import { userCommand } from './user-command.ts';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    'own-account': typeof en;
  }
}

export const ownAccount: Feature = {
  name: 'own-account',
  does: 'People see and change what their account has: names, sessions and API keys. They can leave.',
  uses: [signIn],
  neededBecause: 'people can leave, and take back what they have allowed',
  resources: [
    { before: '/api/v1/tags/', load: () => import('./api.ts') },
    { before: '/api/v1/auth/sign-up/', load: () => import('./sessions-api.ts') },
    { before: '/api/v1/auth/invitations/', load: () => import('./keys-api.ts') },
  ],
  pages: () => import('./pages.ts'),
  links: {
    'menu.end': [{ href: '/account/', text: 'layout.account', after: '/admin/site/' }],
    account: [
      { href: '/account/', text: 'account.title', before: '/account/email/' },
      { href: '/account/leave/', text: 'account.delete', permission: 'changeAccount' },
    ],
    'account.programs': [{ href: '/account/keys/', text: 'keys.title', permission: 'changeAccount' }],
  },
  commands: [
    { before: 'features', name: 'user', command: userCommand },
    { before: 'features', name: 'key', command: keyCommand },
  ],
  texts: { en, de, es, ar },
};
