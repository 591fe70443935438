// Exports everything that belongs to one contributor as dump lines: their projects and comments in any state, their
// files, ratings and reports. There may be gigabytes, and the client may read slowly: a few rows are read at a time, each
// in its state of that moment.

import sql, { join, type Sql } from 'sql-template-tag';
import { pick } from '../../database/columns.ts';
import type { Database } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { projectTable, ratingTable } from '../../database/schema.ts';
import { nextEventLoopTurn } from '../../event-loop.ts';
import type { FileStore } from '../../files/open.ts';
import { chunks } from '../chunks.ts';
import { formatContributorLine } from '../contributors/contributor-line.ts';
import { loadContributor } from '../contributors/find.ts';
import { generateBytesLines } from '../media/bytes-line.ts';
import { loadMedia } from '../media/find.ts';
import type { Media } from '../media/media.ts';
import { formatMediaLine } from '../media/media-line.ts';
import { reportColumns } from '../moderation/columns.ts';
import { reportLine } from '../moderation/report-line.ts';
import { loadAvatar } from '../profiles/avatar.ts';
import { avatarLine } from '../profiles/avatar-line.ts';
import { isEmpty, loadProfile } from '../profiles/profile.ts';
import { profileLine } from '../profiles/profile-line.ts';
import { projectColumns } from '../projects/columns.ts';
import { formatProjectLine } from '../projects/project-line.ts';
import { isErasedSql } from '../projects/visibility.ts';
import { ratingLine } from '../ratings/rating-line.ts';
import { ownDataLine } from './own-data-line.ts';

/** A text can have 100,000 characters. */
const projectsPerBatch = 4;
const rowsPerBatch = 500;

export async function* exportOwnData(
  database: Database,
  files: FileStore,
  id: number,
): AsyncGenerator<string> {
  yield `${ownDataLine.stringify({ contributor: id })}\n`;
  yield `${formatContributorLine(await loadContributor(database, id))}\n`;
  const profile = await loadProfile(database, id);
  if (!isEmpty(profile)) yield `${profileLine.stringify({ contributor: id, ...profile })}\n`;
  yield* exportAvatar(database, files, id);
  const isOwn = sql`contributor = ${id} and not ${isErasedSql}`;
  const projects = await database.all(select(idColumn, sql`from project where ${isOwn} order by id`));
  const ids = projects.map((project) => project.id);
  yield* exportProjects(database, id, isOwn, ids);
  yield* exportFiles(database, files, ids);
  yield* exportRatings(database, id);
  yield* exportReports(database, id);
}

const idColumn = pick(projectTable.columns, 'id');

async function* exportAvatar(database: Database, files: FileStore, id: number): AsyncGenerator<string> {
  const sizes = await loadAvatar(database, id);
  if (sizes.length === 0) return;
  yield `${avatarLine.stringify({ contributor: id, sizes })}\n`;
  for (const size of sizes) for await (const line of generateBytesLines(files, size)) yield `${line}\n`;
}

async function* exportProjects(
  database: Database,
  id: number,
  isOwn: Sql,
  ids: number[],
): AsyncGenerator<string> {
  for (const batch of chunks(ids, projectsPerBatch)) {
    const projects = await database.all(
      select(projectColumns, sql`from project where id in (${join(batch)}) and ${isOwn} order by id`),
    );
    for (const project of projects)
      yield `${formatProjectLine({ ...project, trashed_by: project.trashed_by === id ? id : null })}\n`;
    await nextEventLoopTurn();
  }
}

async function* exportFiles(database: Database, files: FileStore, ids: number[]): AsyncGenerator<string> {
  const sentHashes = new Set<string>();
  for (const batch of chunks(ids, rowsPerBatch / 10)) {
    const media = await loadMedia(database, batch);
    for (const file of [...media.values()].flatMap(sortByNumber)) {
      yield `${formatMediaLine(file)}\n`;
      for (const size of file.sizes.filter(({ hash }) => !sentHashes.has(hash))) {
        sentHashes.add(size.hash);
        for await (const line of generateBytesLines(files, size)) yield `${line}\n`;
      }
    }
    await nextEventLoopTurn();
  }
}

const sortByNumber = (files: readonly Media[]) =>
  files.toSorted((file, otherFile) => file.number - otherFile.number);

async function* exportRatings(database: Database, id: number): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const ratings = await database.all(
      select(
        ratingTable.columns,
        sql`from rating where contributor = ${id} and project > ${last} order by project limit ${rowsPerBatch}`,
      ),
    );
    for (const rating of ratings) yield `${ratingLine.stringify(rating)}\n`;
    const lastRating = ratings.at(-1);
    if (!lastRating) return;
    last = lastRating.project;
    await nextEventLoopTurn();
  }
}

async function* exportReports(database: Database, id: number): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const reports = await database.all(
      select(
        reportColumns,
        sql`from report where contributor = ${id} and id > ${last} order by id limit ${rowsPerBatch}`,
      ),
    );
    for (const report of reports) yield `${reportLine.stringify(report)}\n`;
    const lastReport = reports.at(-1);
    if (!lastReport) return;
    last = lastReport.id;
    await nextEventLoopTurn();
  }
}
