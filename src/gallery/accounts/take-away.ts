// Everything of somebody's, as lines of a dump: who they are, what they made, whatever its state, their files, and what
// they thought of what others made, or told moderators of it. The lines are those of one moment; the bytes of files are
// read as they are sent.

import sql from 'sql-template-tag';
import type { Database } from '../../database/open.ts';
import type { Files } from '../../files/open.ts';
import { findContributor } from '../contributors/find.ts';
import { formatLine } from '../dump/line.ts';
import { bytesLines, mediaLine } from '../dump/media-lines.ts';
import { found } from '../media/find.ts';
import type { Size } from '../media/media.ts';
import type { Report } from '../moderation/report.ts';
import { lineOf, type Stored } from '../projects/stored.ts';
import { isErased } from '../projects/visible.ts';
import type { Rating } from '../ratings/rating.ts';

export async function takeAway(
  database: Database,
  files: Files,
  id: number,
): Promise<AsyncGenerator<string>> {
  const made = sql`contributor = ${id} and not ${isErased}`;
  const parts = await database.snapshot(async (reads) => {
    const { username, first_name, last_name, created } = await findContributor(reads, id);
    const projects = await reads.all<Stored>(sql`select * from project where ${made} order by id`);
    const media = await found(reads, sql`media.project in (select id from project where ${made})`);
    const given = await reads.all<Rating>(
      sql`select project, contributor, value, created, modified from rating where contributor = ${id} order by project`,
    );
    const told = await reads.all<Report>(sql`select * from report where contributor = ${id} order by id`);
    return [
      formatLine({ type: 'contributor', id, username, first_name, last_name, created }),
      ...projects.map(lineOf),
      ...[...media.values()]
        .flatMap((own) => own.toSorted((one, other) => one.number - other.number))
        .flatMap((one) => [mediaLine(one), ...one.sizes]),
      ...given.map((rating) => formatLine({ type: 'rating', ...rating })),
      ...told.map((report) => formatLine({ type: 'report', ...report })),
    ];
  });
  return written(files, parts);
}

async function* written(files: Files, parts: readonly (string | Size)[]): AsyncGenerator<string> {
  const brought = new Set<string>();
  for (const part of parts) {
    if (typeof part === 'string') yield `${part}\n`;
    else if (!brought.has(part.hash)) {
      brought.add(part.hash);
      for await (const line of bytesLines(files, part)) yield `${line}\n`;
    }
  }
}
