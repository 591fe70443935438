import type { Migration } from '../migrate.ts';

/** The visibility of a project's history, and how far the traces of deleted texts are overwritten. */
export const history: Migration = {
  name: 'history',
  statements: ({ integer, text }) => [
    `alter table project add column history ${text} not null default 'private'`,
    // The last change after which deleted data was overwritten.
    `create table overwritten (sequence ${integer} not null)`,
    'insert into overwritten (sequence) select last from change_head',
  ],
};
