import type { Migration } from '../migrate.ts';

/** The file of what visitors may see: see gallery/public-dump.ts. */
export const publicDump: Migration = {
  name: 'public dump',
  statements: ({ integer, text }) => [
    `create table public_dump (
      hash ${text} primary key,
      bytes ${integer} not null,
      projects ${integer} not null,
      created ${integer} not null
    )`,
  ],
};
