// The settings of shared caches in front of the server: see settings.ts.

import { defineSetting } from './define-setting.ts';
import { parseInteger, parseWebAddresses } from './setting-values.ts';

export const sharedCacheSettings = {
  publicMaxAge: defineSetting({
    flag: 'public-max-age',
    placeholder: 'SECONDS',
    variable: 'VITRINE_PUBLIC_MAX_AGE',
    fallback: '0',
    help: 'How long shared caches may keep what visitors get, and 10 seconds more to renew it; 0: not at all.',
    parse: parseInteger(0, 86_400),
  }),
  purgeUrls: defineSetting({
    flag: 'purge-url',
    placeholder: 'URL',
    variable: 'VITRINE_PURGE_URLS',
    help: 'With `serve`: the address of a shared cache that is told with PURGE what has changed.',
    repeatable: true,
    parse: parseWebAddresses,
  }),
};
