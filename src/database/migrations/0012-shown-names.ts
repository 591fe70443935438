import type { Migration } from '../migrate.ts';

/** See gallery/contributors/shown-name.ts. */
export const shownNames: Migration = {
  name: 'shown names',
  statements: ({ text }) => [
    `alter table contributor add column shown_name ${text} not null default 'full'`,
    `alter table contributor add column hidden_first_name ${text} not null default ''`,
    `alter table contributor add column hidden_last_name ${text} not null default ''`,
  ],
};
