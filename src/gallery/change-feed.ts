// The part of the change log that a viewer may see. An entry is about something that visitors' listings had then, or
// about the viewer's own; if the viewer may no longer see it, the action is `gone`.

import sql, { join } from 'sql-template-tag';
import { pick, type RowOf } from '../database/columns.ts';
import type { Reader } from '../database/open.ts';
import { select } from '../database/query.ts';
import { changeHeadTable, changeTable, projectTable } from '../database/schema.ts';
import { Gone } from '../errors.ts';
import { type FeedKindName, feedKinds, publicFeedKinds, subjectOf } from './changes/kinds.ts';
import { isFindableBy } from './contributors/find.ts';
import { readableById } from './projects/visibility.ts';
import type { Viewer } from './viewer.ts';

const entryColumns = {
  ...pick(changeTable.columns, 'sequence', 'at', 'action', 'subject'),
  kind: changeTable.columns.kind.narrow<FeedKindName>(),
};

const changeHead = select(changeHeadTable.columns, sql`from change_head`);

export type FeedEntry = RowOf<typeof entryColumns>;

/** The next `limit` entries after a sequence number, in commit order. Throws Gone if the log has not reached it. */
export async function listChangesSince(
  reader: Reader,
  viewer: Viewer,
  since: number,
  limit: number,
): Promise<FeedEntry[]> {
  const isOwn = viewer.contributor === null ? sql`1 = 0` : sql`owner = ${viewer.contributor}`;
  const isVisible = viewer.isModerator
    ? sql`1 = 1`
    : sql`(listed = 1 or (kind in (${join(publicFeedKinds)}) and ${isFindableBy(viewer, 'subject')}) or ${isOwn})`;
  const entries = await reader.all(
    select(
      entryColumns,
      sql`from change where sequence > ${since} and kind in (${join(feedKinds)}) and ${isVisible}
          order by sequence limit ${limit}`,
    ),
  );
  const readableIds = await findReadable(reader, viewer, entries);
  if (entries.length === 0 && since > (await findLastSequence(reader)))
    throw new Gone(
      `This gallery has not reached change ${since}, perhaps because it was restored from a backup: begin anew with since=0.`,
    );
  return entries.map((entry) =>
    subjectOf(entry.kind) !== 'project' || readableIds.has(entry.subject)
      ? entry
      : { ...entry, action: 'gone' },
  );
}

async function findLastSequence(reader: Reader): Promise<number> {
  return (await reader.first(changeHead))?.last ?? 0;
}

async function findReadable(
  reader: Reader,
  viewer: Viewer,
  entries: readonly FeedEntry[],
): Promise<Set<number>> {
  const ids = [
    ...new Set(entries.filter(({ kind }) => subjectOf(kind) === 'project').map(({ subject }) => subject)),
  ];
  if (ids.length === 0) return new Set();
  const rows = await reader.all(
    select(
      pick(projectTable.columns, 'id'),
      sql`from project where id in (${join(ids)}) and ${readableById(viewer)}`,
    ),
  );
  return new Set(rows.map(({ id }) => id));
}
