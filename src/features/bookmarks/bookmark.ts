// Bookmarks, which only their owner sees. A project that is hidden from them leaves their list, and returns to its place.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { countUpTo, type Database, execute, exists, one, pick, type Reader, type Row } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import { lockContributor } from '../../core/contributors/find-contributors.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { type Project, projectColumns } from '../../projects/project.ts';
import { loadVisible } from '../../projects/reading/listing.ts';
import { type ProjectAddress, readableAt, readableBy } from '../../projects/visibility/visible-to.ts';
import { requireKeepable } from '../../projects/writing/changeable.ts';
import { bookmarkTable } from './tables.ts';

const maxBookmarks = 5000;

const markedColumns = pick(projectColumns, 'id', 'kind');

export async function addBookmark(write: WriteContext, address: ProjectAddress): Promise<void> {
  const { transaction, changeSet, viewer } = write;
  const contributor = requireSignedIn(viewer);
  const { id, kind } = await one(
    transaction,
    markedColumns,
  )`from project where ${readableAt(viewer, address)}`;
  requireKeepable({ kind });
  await lockContributor(transaction, contributor);
  if (await isBookmarked(transaction, viewer, id)) return;
  const all = sql`from bookmark where contributor = ${contributor}`;
  if ((await countUpTo(maxBookmarks, transaction, all)) >= maxBookmarks)
    throw new Invalid({ non_field_errors: [apiText('maxBookmarks', { max: maxBookmarks })] });
  await transaction.insert(bookmarkTable, [{ contributor, project: id, created: changeSet.at }]);
}

export const removeBookmark = ({ transaction, viewer }: WriteContext, id: number): Promise<void> =>
  execute(transaction)`delete from bookmark where contributor = ${viewer.contributor} and project = ${id}`;

export const isBookmarked = (reader: Reader, { contributor }: Viewer, id: number): Promise<boolean> =>
  exists(reader, sql`from bookmark where contributor = ${contributor} and project = ${id}`);

type Bookmark = Row<typeof bookmarkTable>;

/** The newest bookmark first. */
export const listBookmarks = (database: Database, viewer: Viewer): TableListing<Bookmark> =>
  new TableListing(database, {
    table: 'bookmark',
    columns: bookmarkTable.columns,
    condition: sql`contributor = ${viewer.contributor} and exists (
      select 1 from project where project.id = bookmark.project and ${readableBy(viewer)})`,
    order: ['created', 'project'].map((column) => ({ column, descending: true })),
  });

export const loadBookmarked = (
  reader: Reader,
  viewer: Viewer,
  bookmarks: readonly Bookmark[],
): Promise<Project[]> =>
  loadVisible(
    reader,
    bookmarks.map(({ project }) => project),
    readableBy(viewer),
  );
