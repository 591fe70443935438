// Exports everything that belongs to one contributor as dump lines: their projects and comments in any state, their
// files, ratings and reports. The lines are one snapshot; the bytes of files are read while they are sent.

import sql from 'sql-template-tag';
import type { Database } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { ratingTable } from '../../database/schema.ts';
import type { FileStore } from '../../files/open.ts';
import { contributorLine } from '../contributors/contributor-line.ts';
import { loadContributor } from '../contributors/find.ts';
import { generateBytesLines } from '../media/bytes-line.ts';
import { queryMedia } from '../media/find.ts';
import type { Size } from '../media/media.ts';
import { formatMediaLine } from '../media/media-line.ts';
import { reportColumns } from '../moderation/columns.ts';
import { reportLine } from '../moderation/report-line.ts';
import { projectColumns } from '../projects/columns.ts';
import { formatProjectLine } from '../projects/project-line.ts';
import { isErasedSql } from '../projects/visibility.ts';
import { ratingLine } from '../ratings/rating-line.ts';

export async function exportOwnData(
  database: Database,
  files: FileStore,
  id: number,
): Promise<AsyncGenerator<string>> {
  const isOwn = sql`contributor = ${id} and not ${isErasedSql}`;
  const parts = await database.snapshot(async (reader) => {
    const { username, first_name, last_name, created } = await loadContributor(reader, id);
    const projects = await reader.all(select(projectColumns, sql`from project where ${isOwn} order by id`));
    const media = await queryMedia(reader, sql`media.project in (select id from project where ${isOwn})`);
    const ratings = await reader.all(
      select(ratingTable.columns, sql`from rating where contributor = ${id} order by project`),
    );
    const reports = await reader.all(
      select(reportColumns, sql`from report where contributor = ${id} order by id`),
    );
    return [
      contributorLine.stringify({ id, username, first_name, last_name, created }),
      ...projects.map(formatProjectLine),
      ...[...media.values()]
        .flatMap((files) => files.toSorted((file, otherFile) => file.number - otherFile.number))
        .flatMap((file) => [formatMediaLine(file), ...file.sizes]),
      ...ratings.map(ratingLine.stringify),
      ...reports.map(reportLine.stringify),
    ];
  });
  return generateLines(files, parts);
}

/** A part is a finished line, or a size whose bytes follow. */
async function* generateLines(files: FileStore, parts: readonly (string | Size)[]): AsyncGenerator<string> {
  const sentHashes = new Set<string>();
  for (const part of parts) {
    if (typeof part === 'string') yield `${part}\n`;
    else if (!sentHashes.has(part.hash)) {
      sentHashes.add(part.hash);
      for await (const line of generateBytesLines(files, part)) yield `${line}\n`;
    }
  }
}
