import type { Migration } from '../migrate.ts';

/** Passkeys, and the challenges that a browser has answered. */
export const passkeys: Migration = {
  name: 'passkeys',
  statements: ({ integer, text, identity }) => [
    `create table passkey (
      id ${identity},
      contributor ${integer} not null references contributor (id),
      credential ${text} not null unique,
      public_key ${text} not null,
      counter ${integer} not null,
      transports ${text} not null,
      host ${text} not null,
      name ${text} not null,
      created ${integer} not null,
      last_used ${integer}
    )`,
    'create index passkey_by_contributor on passkey (contributor)',
    // Only hashes of challenges are stored, until the challenges expire: each counts once.
    `create table used_challenge (hash ${text} primary key, until ${integer} not null)`,
  ],
};
