// The settings that requests depend on.

import type { SettingName } from './settings.ts';

export const appSettings = [
  'uploadLimit',
  'projectQuota',
  'fileQuota',
  'allowedHosts',
  'trustedProxies',
  'corsOrigins',
  'webhookNetworks',
  'timeZone',
  'playerHosts',
  'readLimit',
  'writeLimit',
  'streamLimit',
  'signInLimit',
  'sharedNetworks',
  'basic',
  'signUp',
  'smtp',
  'requiresSecondFactor',
  'hsts',
  'cacheSize',
  'publicMaxAge',
  'names',
  'strict',
  'publicDump',
] as const satisfies readonly SettingName[];
