// Reads what belongs to one contributor, a few rows at a time: a client may take half an hour for all of it.

import sql, { join, type Sql } from 'sql-template-tag';
import { nextEventLoopTurn } from '../../common/event-loop.ts';
import { pick, type RowOf } from '../../database/columns.ts';
import type { Database, Reader } from '../../database/database.ts';
import { all } from '../../database/query.ts';
import { ratingTable } from '../../database/schema.ts';
import { chunks } from '../../gallery/chunks.ts';
import { loadMedia } from '../../gallery/media/find.ts';
import type { Media } from '../../gallery/media/media.ts';
import { type ProjectRow, projectColumns } from '../../gallery/projects/columns.ts';
import { isErasedSql } from '../../gallery/projects/visibility.ts';

/** A text can have 100,000 characters. */
const projectsPerBatch = 4;
const filesPerBatch = 50;
const rowsPerBatch = 500;

const ownIdColumns = pick(projectColumns, 'id', 'content_type');

const isOwn = (contributor: number): Sql => sql`contributor = ${contributor} and not ${isErasedSql}`;

/** The ids of the projects and comments in any state, in order. */
export const loadOwnIds = (reader: Reader, contributor: number): Promise<RowOf<typeof ownIdColumns>[]> =>
  all(reader, ownIdColumns)`from project where ${isOwn(contributor)} order by id`;

/** In the order of the ids. */
export async function* readOwnProjects(
  database: Database,
  contributor: number,
  ids: readonly number[],
): AsyncGenerator<ProjectRow[]> {
  for (const batch of chunks(ids, projectsPerBatch)) {
    const rows = await all(database, projectColumns)`from project
      where id in (${join(batch)}) and ${isOwn(contributor)}`;
    yield rows.toSorted((row, other) => batch.indexOf(row.id) - batch.indexOf(other.id));
    await nextEventLoopTurn();
  }
}

/** The files of these projects, ordered by project and number. */
export async function* readFiles(database: Database, ids: readonly number[]): AsyncGenerator<Media> {
  for (const batch of chunks(ids, filesPerBatch)) {
    for (const files of (await loadMedia(database, batch)).values())
      yield* files.toSorted((file, otherFile) => file.number - otherFile.number);
    await nextEventLoopTurn();
  }
}

export async function* readOwnRatings(
  database: Database,
  contributor: number,
): AsyncGenerator<RowOf<typeof ratingTable.columns>[]> {
  for (let last = 0; ; ) {
    const ratings = await all(database, ratingTable.columns)`from rating
      where contributor = ${contributor} and project > ${last}
      order by project limit ${rowsPerBatch}`;
    const lastRating = ratings.at(-1);
    if (!lastRating) return;
    yield ratings;
    last = lastRating.project;
    await nextEventLoopTurn();
  }
}
