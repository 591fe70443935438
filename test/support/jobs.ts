import sql from 'sql-template-tag';
import type { Site } from './site.ts';

/** As if everything that waits had become due, also what a process holds that was killed. */
export const makeJobsDue = ({ database }: Pick<Site, 'database'>) =>
  database.transaction((transaction) => transaction.run(sql`update job set due = 1, held_until = 0`));
