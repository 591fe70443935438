// Exports everything that belongs to one contributor as dump lines: their projects and comments in any state, their
// files, ratings, reports and notifications. There may be gigabytes, and the client may read slowly: a few rows are read at a
// time, each in its state of that moment.

import sql, { type Sql } from 'sql-template-tag';
import { nextEventLoopTurn } from '../../common/event-loop.ts';
import type { ColumnsOf, Table } from '../../database/columns.ts';
import type { Database } from '../../database/database.ts';
import { notificationSettingTable, notificationTable, reportTable } from '../../database/schema.ts';
import type { FileStore } from '../../files/store.ts';
import { findEmail } from '../../gallery/accounts/email.ts';
import { emailLine } from '../../gallery/accounts/email-line.ts';
import { formatContributorLine } from '../../gallery/contributors/contributor-line.ts';
import { loadContributor } from '../../gallery/contributors/find.ts';
import { readTable } from '../../gallery/listing/read-table.ts';
import { generateBytesLines } from '../../gallery/media/bytes-line.ts';
import type { Size } from '../../gallery/media/media.ts';
import { formatMediaLine } from '../../gallery/media/media-line.ts';
import { reportColumns } from '../../gallery/moderation/columns.ts';
import { reportLine } from '../../gallery/moderation/report-line.ts';
import { areNotificationsOf } from '../../gallery/notifications/find.ts';
import { type Notification, notificationColumns } from '../../gallery/notifications/notification.ts';
import {
  formatNotificationLine,
  notificationSettingLine,
} from '../../gallery/notifications/notification-line.ts';
import { settingColumns } from '../../gallery/notifications/settings.ts';
import { loadAvatar } from '../../gallery/profiles/avatar.ts';
import { avatarLine } from '../../gallery/profiles/avatar-line.ts';
import { isEmpty, loadProfile } from '../../gallery/profiles/profile.ts';
import { profileLine } from '../../gallery/profiles/profile-line.ts';
import type { ProjectRow } from '../../gallery/projects/columns.ts';
import { formatProjectLine } from '../../gallery/projects/project-line.ts';
import { ratingLine } from '../../gallery/ratings/rating-line.ts';
import { anonymous } from '../../gallery/viewer.ts';
import { ownDataLine } from './lines.ts';
import { avatarPath, filePath } from './paths.ts';
import { loadOwnIds, readFiles, readOwnProjects, readOwnRatings } from './read.ts';

type StoredSize = Pick<Size, 'hash' | 'bytes'>;

/** The lines alone and the ZIP differ in this. */
export interface OwnDataFormat {
  /** The address of the gallery. */
  readonly gallery: string | null;
  /** The lines that follow that of a file: its content, or its path in the ZIP. */
  exportFile(sizes: readonly StoredSize[], path: string): Iterable<string> | AsyncIterable<string>;
  /** The lines that follow those of projects. */
  exportSources?(projects: readonly ProjectRow[]): Promise<readonly string[]>;
}

/** The lines alone: the content of each file is in them once. */
export function createLinesFormat(files: FileStore): OwnDataFormat {
  const sentHashes = new Set<string>();
  return {
    gallery: null,
    async *exportFile(sizes) {
      for (const size of sizes.filter(({ hash }) => !sentHashes.has(hash))) {
        sentHashes.add(size.hash);
        yield* generateBytesLines(files, size);
      }
    },
  };
}

export async function* exportOwnData(
  database: Database,
  id: number,
  format: OwnDataFormat,
): AsyncGenerator<string> {
  for await (const line of generateLines(database, id, format)) yield `${line}\n`;
}

async function* generateLines(
  database: Database,
  id: number,
  { gallery, exportFile, exportSources }: OwnDataFormat,
): AsyncGenerator<string> {
  yield ownDataLine.stringify({ contributor: id, gallery });
  yield formatContributorLine(await loadContributor(database, id));
  const email = await findEmail(database, id);
  if (email) yield emailLine.stringify(email);
  const profile = await loadProfile(database, id);
  if (!isEmpty(profile)) yield profileLine.stringify({ contributor: id, ...profile });
  const avatar = await loadAvatar(database, id);
  if (avatar.length > 0) {
    yield avatarLine.stringify({ contributor: id, sizes: avatar });
    yield* exportFile(avatar, avatarPath);
  }
  const ids = (await loadOwnIds(database, id)).map((project) => project.id);
  for await (const projects of readOwnProjects(database, id, ids)) {
    for (const project of projects)
      yield formatProjectLine({ ...project, trashed_by: project.trashed_by === id ? id : null });
    if (exportSources) yield* await exportSources(projects);
  }
  for await (const file of readFiles(database, ids)) {
    yield formatMediaLine(file);
    yield* exportFile(file.sizes, filePath(file));
  }
  for await (const ratings of readOwnRatings(database, id))
    for (const rating of ratings) yield ratingLine.stringify(rating);
  const isOwn = sql`contributor = ${id}`;
  yield* exportRows(database, reportTable, reportColumns, isOwn, reportLine.stringify);
  const areShown = areNotificationsOf({ ...anonymous, contributor: id });
  yield* exportRows(database, notificationTable, notificationColumns, areShown, formatOwnNotification);
  const format = notificationSettingLine.stringify;
  yield* exportRows(database, notificationSettingTable, settingColumns, isOwn, format);
}

/** Without who gave a rating. */
const formatOwnNotification = (row: Notification) =>
  formatNotificationLine({ ...row, actor: row.kind === 'rated' ? null : row.actor });

async function* exportRows<Row extends object>(
  database: Database,
  table: Table,
  columns: ColumnsOf<Row>,
  condition: Sql,
  format: (row: Row) => string,
): AsyncGenerator<string> {
  for await (const rows of readTable(database, table, columns, condition)) {
    for (const row of rows) yield format(row);
    await nextEventLoopTurn();
  }
}
