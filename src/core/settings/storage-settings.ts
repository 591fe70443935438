// The settings of where the gallery is stored: see settings.ts.

import { defineSetting, defineText } from './setting-values.ts';

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
