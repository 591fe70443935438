import { integer, table, text } from '#sql';

export const publicDumpTable = table('public_dump', ['hash'], {
  hash: text(),
  bytes: integer(),
  projects: integer(),
  created: integer(),
});
