import type { Feature } from '../../core/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { areAccountsLinked, linkedPath } from './link-accounts.ts';
import { checkSignInSettings, settings } from './settings.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    'linked-accounts': typeof en;
  }
}

export const linkedAccounts: Feature = {
  name: 'linked-accounts',
  does: 'People sign in at the service of their school or organisation (OpenID Connect).',
  uses: [signIn],
  lines: [{ before: 'second_factor', load: async () => (await import('./dump.ts')).linkedAccountKind }],
  pages: () => import('./pages.ts'),
  links: {
    account: [
      {
        href: linkedPath,
        text: 'linked.title',
        permission: 'changeAccount',
        after: '/account/passkeys/',
        isShown: areAccountsLinked,
      },
    ],
  },
  linksAccounts: ({ oidcIssuer }) => oidcIssuer !== '',
  settings: { after: 'passwords', definitions: settings },
  checkSettings: checkSignInSettings,
  texts: { en, de, es, ar },
};
