// The settings of where the gallery is stored, and of its backups: see settings.ts.

import { defineSetting, defineText, parseDuration, parseKeepRule } from './setting-values.ts';

export const databaseSettings = {
  database: defineText({
    flag: 'database',
    placeholder: 'PATH|URL',
    fallback: 'vitrine.sqlite',
    help: 'A file for SQLite, or postgres://user:password@host/name.',
  }),
  replicas: defineSetting({
    flag: 'replica',
    placeholder: 'URL',
    variable: 'VITRINE_REPLICAS',
    help: 'A replica of the PostgreSQL database that requests read from; postgres://user:password@host/name.',
    repeatable: true,
    read: (text) => text.split(/,(?=postgres(?:ql)?:\/\/)/).filter(Boolean),
  }),
  files: defineText({
    flag: 'files',
    placeholder: 'FOLDER|URL',
    help: 'The folder for uploaded files, or s3://bucket; by default the database’s path with .files.',
  }),
};

export const backupSettings = {
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
