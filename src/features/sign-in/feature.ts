import type { Feature } from '../../core/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    'sign-in': typeof en;
  }
}

declare module '../../core/mail/queue.ts' {
  interface FeatureMails {
    confirm_email: true;
    email_changed: true;
    forgotten_password: true;
    password_link: true;
  }
}

const hourMs = 3600_000;

export const signIn: Feature = {
  name: 'sign-in',
  does: 'People sign up and sign in, with passwords, passkeys, a second step, invitations and email addresses.',
  neededBecause: 'nobody could write or moderate',
  lines: [
    { after: 'key', load: async () => (await import('./dump.ts')).passkeyKind },
    { after: 'passkey', load: async () => (await import('./dump.ts')).secondFactorKind },
  ],
  resources: [
    { after: '/api/v1/auth/', load: () => import('./session-api.ts') },
    { before: '/api/v1/schema/', load: () => import('./sign-up-api.ts') },
    { before: '/api/v1/schema/', load: () => import('./password-api.ts') },
    { before: '/api/v1/schema/', load: () => import('./invitations-api.ts') },
  ],
  pages: () => import('./pages.ts'),
  passwordChecker: async () => {
    const { BasicPasswords } = await import('./basic-passwords.ts');
    return (accounts) => new BasicPasswords(accounts);
  },
  links: {
    account: [
      {
        href: '/account/email/',
        text: 'email.title',
        permission: 'changeAccount',
        isShown: ({ smtp }) => smtp !== undefined,
      },
      {
        href: '/account/password/',
        text: 'account.changePassword',
        permission: 'changeAccount',
        isShown: ({ passwords }) => passwords === 'on',
      },
      { href: '/account/passkeys/', text: 'passkeys.title', permission: 'changeAccount' },
      { href: '/account/second-step/', text: 'secondFactorSignIn.title', permission: 'changeAccount' },
    ],
    moderation: [
      { href: '/moderation/invitations/', text: 'moderation.invitations', after: '/moderation/people/' },
    ],
  },
  mails: {
    confirm_email: { load: async () => (await import('./mails.ts')).composeConfirmation },
    email_changed: { load: async () => (await import('./mails.ts')).composeEmailChange },
    forgotten_password: { load: async () => (await import('./mails.ts')).findForgottenAccounts },
    password_link: { load: async () => (await import('./mails.ts')).composePasswordLinks },
  },
  tasks: {
    emails: {
      everyMs: hourMs,
      run: async (database) => (await import('./email/email.ts')).sweepEmails(database),
    },
    invitations: {
      everyMs: hourMs,
      run: async (database) => (await import('./invitation.ts')).sweepInvitations(database),
    },
  },
  texts: { en, de, es, ar },
};
