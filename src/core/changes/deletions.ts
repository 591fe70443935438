/**
 * Changes after which deleted data is left in the database's files. Literal text, and the same in the index and in queries:
 * planners compare it.
 */
export const isDeletion = "action in ('erased', 'redacted', 'left')";
