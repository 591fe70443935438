// Everything of somebody's, as lines of a dump: who they are, what they made, whatever its state, and what they
// thought of what others made, or told moderators of it.

import sql from 'sql-template-tag';
import type { Database } from '../../database/open.ts';
import { findContributor } from '../contributors/find.ts';
import { formatLine } from '../dump/line.ts';
import type { Report } from '../moderation/report.ts';
import { lineOf, type Stored } from '../projects/stored.ts';
import { isErased } from '../projects/visible.ts';
import type { Rating } from '../ratings/rating.ts';

export function takeAway(database: Database, id: number): Promise<string> {
  return database.snapshot(async (reads) => {
    const { username, first_name, last_name, created } = await findContributor(reads, id);
    const made = await reads.all<Stored>(
      sql`select * from project where contributor = ${id} and not ${isErased} order by id`,
    );
    const given = await reads.all<Rating>(
      sql`select project, contributor, value, created, modified from rating where contributor = ${id} order by project`,
    );
    const told = await reads.all<Report>(sql`select * from report where contributor = ${id} order by id`);
    const lines = [
      formatLine({ type: 'contributor', id, username, first_name, last_name, created }),
      ...made.map(lineOf),
      ...given.map((rating) => formatLine({ type: 'rating', ...rating })),
      ...told.map((report) => formatLine({ type: 'report', ...report })),
    ];
    return lines.map((line) => `${line}\n`).join('');
  });
}
