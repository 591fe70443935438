import { lookOfUsernameSql } from '../look-alikes.ts';
import type { Migration } from '../migrate.ts';

/** A column instead of an index on a long expression, which older programs for SQLite cannot read. */
export const usernameLook: Migration = {
  name: 'username look',
  statements: ({ text }) => [
    'drop index contributor_by_look',
    `alter table contributor add column username_look ${text} not null default ''`,
    `update contributor set username_look = ${lookOfUsernameSql}`,
    'create index contributor_by_look on contributor (username_look)',
  ],
};
