import type { Migration } from '../migrate.ts';

/** When an email address began to wait for its confirmation: it does not wait for ever. */
export const pendingEmails: Migration = {
  name: 'pending emails',
  statements: ({ integer }) => [
    `alter table email add column pending_since ${integer} not null default 0`,
    `update email set pending_since = coalesce((select max(at) from change), 0)`,
  ],
};
