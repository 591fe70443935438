import { OperatorError } from '#common/errors.ts';
import { defineSetting, parseInteger, parseWebAddresses } from '../../core/settings/setting-values.ts';
import type { SettingsOf } from '../../core/settings/settings.ts';

export const settings = {
  publicMaxAge: defineSetting({
    flag: 'public-max-age',
    placeholder: 'SECONDS',
    fallback: '0',
    help: 'How long shared caches may keep what visitors get, and 10 seconds more to renew it; 0: not at all.',
    read: parseInteger(0, 86_400),
  }),
  purgeUrls: defineSetting({
    flag: 'purge-url',
    placeholder: 'URL',
    variable: 'VITRINE_PURGE_URLS',
    help: 'With `serve`: the address of a shared cache that is told what has changed; of a CDN only in the variable, with its token.',
    repeatable: true,
    isSecret: (text) => text.includes('@'),
    read: parseWebAddresses,
  }),
};

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface FeatureSettings extends Definitions {}
}

export function checkSharedCacheSettings({ purgeUrls, publicMaxAge }: SettingsOf<Definitions>): void {
  if (purgeUrls.length > 0 && publicMaxAge === 0)
    throw new OperatorError('--purge-url needs --public-max-age: without it no shared cache keeps anything.');
}
