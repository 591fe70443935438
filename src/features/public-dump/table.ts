import { integer, table, text } from '#sql/columns.ts';

export const publicDumpTable = table('public_dump', ['hash'], {
  hash: text(),
  bytes: integer(),
  projects: integer(),
  created: integer(),
});
