/** The schema that the declarations of the tables describe. It is written where a migration is added. */
export const newest = 60;
