import type { Migration } from '../migrate.ts';

/** The people who are asked for a passkey after their password, with the hashes of their recovery codes. */
export const secondFactor: Migration = {
  name: 'second factor',
  statements: ({ integer, text }) => [
    `create table second_factor (
      contributor ${integer} primary key references contributor (id),
      created ${integer} not null,
      recovery_codes ${text} not null
    )`,
  ],
};
