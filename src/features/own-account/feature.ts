import type { Feature } from '../../core/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { keyCommand } from './key-command.ts';
import { userCommand } from './user-command.ts';

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
    account: [
      { href: '/account/', text: 'account.title', before: '/account/email/' },
      { href: '/account/keys/', text: 'keys.title' },
      { href: '/account/leave/', text: 'account.delete' },
    ],
  },
  commands: [
    { before: 'features', name: 'user', command: userCommand },
    { before: 'features', name: 'key', command: keyCommand },
  ],
};
