// The settings of signing in at a service elsewhere: see settings.ts.

import { InvalidValue } from '../common/inputs.ts';
import { defineSetting, parseChoice, splitValues } from './setting-values.ts';

/** Coming from a learning platform, such as Moodle or Canvas. */
const learningPlatformSettings = {
  ltiPlatform: defineSetting({
    flag: 'lti-platform',
    placeholder: 'URL',
    help: 'A learning platform (LTI 1.3) from whose courses people come: its issuer, such as https://moodle.school.example.',
    read: parseServiceUrl,
  }),
  ltiClientId: defineSetting({
    flag: 'lti-client-id',
    placeholder: 'TEXT',
    help: 'The name of this site at the learning platform.',
    read: (text) => text,
  }),
  ltiLoginUrl: defineSetting({
    flag: 'lti-login-url',
    placeholder: 'URL',
    help: 'The address at which the learning platform says who somebody is (authentication request URL).',
    read: parseServiceUrl,
  }),
  ltiKeysUrl: defineSetting({
    flag: 'lti-keys-url',
    placeholder: 'URL',
    help: 'The address of the public keys of the learning platform.',
    read: parseServiceUrl,
  }),
  ltiDeployments: defineSetting({
    flag: 'lti-deployment',
    placeholder: 'TEXT',
    variable: 'VITRINE_LTI_DEPLOYMENTS',
    help: 'An installation of this site there (deployment id); by default all of its client id.',
    repeatable: true,
    read: splitValues,
  }),
  ltiLabel: defineSetting({
    flag: 'lti-label',
    placeholder: 'TEXT',
    help: 'What people call the learning platform, such as Riverside Moodle; its host otherwise.',
    read: (text) => text,
  }),
};

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
  ...learningPlatformSettings,
};

export const signInSettingNames = Object.keys(signInSettings) as (keyof typeof signInSettings)[];

function parseServiceUrl(text: string): string {
  const { protocol = '', hostname = '', username } = URL.parse(text) ?? {};
  if (text === '' || (/^https?:$/.test(protocol) && hostname && !username && !/[?#\s]/.test(text)))
    return text;
  throw new InvalidValue('must begin with https:// or http:// and have no query');
}
