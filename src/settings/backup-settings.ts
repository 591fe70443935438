// The settings of backups: see settings.ts.

import { defineSetting, defineText, parseDuration, parseKeepRule } from './setting-values.ts';

export const backupSettings = {
  backupEvery: defineSetting({
    flag: 'backup-every',
    placeholder: 'TIME',
    variable: 'VITRINE_BACKUP_EVERY',
    help: 'With `serve`: make backups this often, such as 30m, 1h or 1d.',
    read: parseDuration,
  }),
  backupTo: defineText({
    flag: 'backup-to',
    placeholder: 'FOLDER|URL',
    variable: 'VITRINE_BACKUP_TO',
    help: 'With `serve`: where these backups are made.',
  }),
  unlessNewer: defineSetting({
    flag: 'unless-newer',
    placeholder: 'TIME',
    variable: 'VITRINE_BACKUP_UNLESS_NEWER',
    help: 'With `backup` and `public-dump`: make none if one was made in this time, such as 1h.',
    read: parseDuration,
  }),
  keep: defineSetting({
    flag: 'keep',
    placeholder: 'RULE',
    variable: 'VITRINE_BACKUP_KEEP',
    help: 'Which backups stay, such as 24h,7d,4w,12m: the newest of this many hours, days, weeks, months; by default all.',
    read: parseKeepRule,
  }),
  signWith: defineText({
    flag: 'sign-with',
    placeholder: 'FILE',
    variable: 'VITRINE_BACKUP_SIGN_WITH',
    help: 'The private key that signs backups; `vitrine backup-key` makes one.',
  }),
  publicKey: defineText({
    flag: 'public-key',
    placeholder: 'FILE',
    variable: 'VITRINE_BACKUP_PUBLIC_KEY',
    help: 'The public key that a backup must be signed for.',
  }),
};
