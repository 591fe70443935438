/** The result for each project that somebody brings. */
export const outcomes = ['brought', 'already_here', 'left_out', 'not_yet'] as const;
