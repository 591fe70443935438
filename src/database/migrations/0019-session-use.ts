import type { Migration } from '../migrate.ts';

/** A description by which people recognize their sessions, and when each was last used. */
export const sessionUse: Migration = {
  name: 'session-use',
  statements: ({ integer, text }) => [
    `alter table session add column last_used ${integer} not null default 0`,
    `alter table session add column browser ${text} not null default ''`,
    'update session set last_used = created',
  ],
};
