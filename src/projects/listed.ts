// A file of its own: ../schema.ts exports tables only.

/** The condition of visitors' listings: literal text, so that both planners match the partial indexes. */
export const listed = "visibility = 'public' and status = 1 and thread_visibility = 0";

/** Whether an index has few of the rows of its table: those of listed projects have a condition too. */
export const hasFewRows = (definition: string): boolean =>
  / where /i.test(definition) && !definition.includes('status = 1');
