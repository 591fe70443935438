// The settings of signing in at a service elsewhere: see settings/settings.ts.

import { OperatorError } from '#common/errors.ts';
import { defineSetting, defineText, parseServiceUrl } from '../../core/settings/setting-values.ts';
import type { SettingsOf } from '../../core/settings/settings.ts';

export const settings = {
  oidcIssuer: defineSetting({
    flag: 'oidc-issuer',
    placeholder: 'URL',
    help: 'The sign-in service of a school or an organisation (OpenID Connect), such as https://login.school.example.',
    read: parseServiceUrl,
  }),
  oidcClientId: defineText({
    flag: 'oidc-client-id',
    placeholder: 'TEXT',
    help: 'The name of this site at the sign-in service.',
  }),
  oidcClientSecret: defineText({
    flag: 'oidc-client-secret',
    placeholder: 'TEXT',
    help: 'The secret of this site at the sign-in service, if it has one; only in the variable.',
    isSecret: (text) => text !== '',
  }),
  oidcLabel: defineText({
    flag: 'oidc-label',
    placeholder: 'TEXT',
    help: 'What people call the sign-in service, such as Riverside School; its host otherwise.',
  }),
};

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface FeatureSettings extends Definitions {}
}

export type OpenIdSettings = SettingsOf<Definitions>;

/** Throws if one of them makes no sense without another. */
export function checkSignInSettings(settings: OpenIdSettings & { readonly passwords: string }): void {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcLabel, passwords } = settings;
  if (oidcIssuer !== '' && oidcClientId === '')
    throw new OperatorError('--oidc-issuer needs --oidc-client-id: the name of this site there.');
  if (oidcIssuer === '' && `${oidcClientId}${oidcClientSecret}${oidcLabel}` !== '')
    throw new OperatorError('The sign-in service needs --oidc-issuer: its address.');
  if (oidcIssuer === '' && passwords === 'off')
    throw new OperatorError('--passwords off needs --oidc-issuer: the service at which people sign in then.');
}
