// The settings of backups: see settings.ts.

import { defineSetting } from './define-setting.ts';
import { parseDuration, parseKeepRule } from './setting-values.ts';

const path = (text: string) => text;

export const backupSettings = {
  backupEvery: defineSetting({
    flag: 'backup-every',
    placeholder: 'TIME',
    variable: 'VITRINE_BACKUP_EVERY',
    fallback: '',
    help: 'With `serve`: make backups so often, such as 30m, 1h or 1d.',
    parse: parseDuration,
  }),
  backupTo: defineSetting({
    flag: 'backup-to',
    placeholder: 'FOLDER|URL',
    variable: 'VITRINE_BACKUP_TO',
    fallback: '',
    help: 'With `serve`: where these backups are made.',
    parse: path,
  }),
  unlessNewer: defineSetting({
    flag: 'unless-newer',
    placeholder: 'TIME',
    variable: 'VITRINE_BACKUP_UNLESS_NEWER',
    fallback: '',
    help: 'With `backup` and `public-dump`: make none if one was made in this time, such as 1h.',
    parse: parseDuration,
  }),
  keep: defineSetting({
    flag: 'keep',
    placeholder: 'RULE',
    variable: 'VITRINE_BACKUP_KEEP',
    fallback: '',
    help: 'Which backups stay, such as 24h,7d,4w,12m: the newest of so many hours, days, weeks, months; by default all.',
    parse: parseKeepRule,
  }),
  signWith: defineSetting({
    flag: 'sign-with',
    placeholder: 'FILE',
    variable: 'VITRINE_BACKUP_SIGN_WITH',
    fallback: '',
    help: 'The private key that signs backups; `vitrine backup-key` makes one.',
    parse: path,
  }),
  publicKey: defineSetting({
    flag: 'public-key',
    placeholder: 'FILE',
    variable: 'VITRINE_BACKUP_PUBLIC_KEY',
    fallback: '',
    help: 'The public key that a backup must be signed for.',
    parse: path,
  }),
};
