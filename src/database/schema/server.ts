// The settings and the state of the server.

import { integer, table, text } from '../columns.ts';

/** An empty host is the default for all. */
export const siteSettingTable = table('site_setting', ['host', 'name'], {
  host: text(),
  name: text(),
  value: text(),
});

export const secretTable = table('secret', ['name'], { name: text(), value: text() });

/** `finished` is 0 before the first time; `held_until` is 0 while nobody does it. */
export const scheduledJobTable = table('scheduled_job', ['name'], {
  name: text(),
  finished: integer(),
  held_by: text(),
  held_until: integer(),
});

export const publicDumpTable = table('public_dump', ['hash'], {
  hash: text(),
  bytes: integer(),
  projects: integer(),
  created: integer(),
});

export const migrationTable = table('migration', ['number'], { number: integer(), name: text() });
