// The settings of signing in at a service elsewhere: see settings.ts.

import { defineSetting, parseChoice, parseServiceUrl } from './setting-values.ts';

export const signInSettings = {
  passwords: defineSetting({
    flag: 'passwords',
    placeholder: 'on|off',
    fallback: 'on',
    help: 'Whether people can sign in with a password; off where all have an account at the sign-in service.',
    read: parseChoice('on', 'off'),
  }),
  oidcIssuer: defineSetting({
    flag: 'oidc-issuer',
    placeholder: 'URL',
    help: 'The sign-in service of a school or an organisation (OpenID Connect), such as https://login.school.example.',
    read: parseServiceUrl,
  }),
  oidcClientId: defineSetting({
    flag: 'oidc-client-id',
    placeholder: 'TEXT',
    help: 'The name of this site at the sign-in service.',
    read: (text) => text,
  }),
  oidcClientSecret: defineSetting({
    flag: 'oidc-client-secret',
    placeholder: 'TEXT',
    help: 'The secret of this site at the sign-in service, if it has one; only in the variable.',
    isSecret: (text) => text !== '',
    read: (text) => text,
  }),
  oidcLabel: defineSetting({
    flag: 'oidc-label',
    placeholder: 'TEXT',
    help: 'What people call the sign-in service, such as Riverside School; its host otherwise.',
    read: (text) => text,
  }),
};

export const signInSettingNames = Object.keys(signInSettings) as (keyof typeof signInSettings)[];
