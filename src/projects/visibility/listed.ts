// A file of its own: tables.ts exports tables only.

/** The condition of visitors' listings: literal text, so that both planners match the partial indexes. */
export const listed = "visibility = 'public' and status = 1 and thread_visibility = 0";

/** The same, with the name or alias of the table. */
export const isListedIn = (row: string) =>
  `${row}.visibility = 'public' and ${row}.status = 1 and ${row}.thread_visibility = 0`;
