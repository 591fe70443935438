// A file of its own: tables.ts exports tables only.

/** The condition of visitors' listings: literal text, so that both planners match the partial indexes. */
export const listed = "visibility = 'public' and status = 1 and thread_visibility = 0";
