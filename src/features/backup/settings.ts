// The settings of backups: see settings/settings.ts.

import { InvalidValue } from '#common/inputs.ts';
import { defineSetting, defineText, parseDuration } from '../../core/settings/setting-values.ts';

/** `7d,4w`: the newest of each of 7 days and of each of 4 weeks. */
const parseKeepRule = (text: string) =>
  text.split(',').flatMap((part) => {
    const [, count, unit] = /^([1-9]\d{0,3})([hdwm])$/.exec(part.trim()) ?? [];
    if (unit === 'h' || unit === 'd' || unit === 'w' || unit === 'm')
      return { unit, count: Number(count) } as const;
    if (text === '') return [];
    throw new InvalidValue('must be numbers of hours, days, weeks and months, such as 24h,7d,4w,12m');
  });

export const settings = {
  backupEvery: defineSetting({
    flag: 'backup-every',
    placeholder: 'TIME',
    help: 'With `serve`: make backups this often, such as 30m, 1h or 1d.',
    read: parseDuration,
  }),
  backupTo: defineText({
    flag: 'backup-to',
    placeholder: 'FOLDER|URL',
    help: 'With `serve`: where these backups are made.',
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

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface NamedSettings extends Definitions {}
}
