// The part of the change log that a viewer may see. An entry is about something that visitors' listings had then, or
// about the viewer's own; if the viewer may no longer see it, the action is `gone`.

import sql, { join } from 'sql-template-tag';
import { pick, type RowOf } from '../database/columns.ts';
import type { Database, Reader } from '../database/open.ts';
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

/** How many entries are looked at for one page: a viewer may see only a few of them. */
const maxScanned = 5000;

interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** All entries up to this number were looked at. */
  readonly last: number;
  readonly hasMore: boolean;
}

/**
 * The next entries after a sequence number, in commit order. Throws Gone if the log has not reached it. It is read beside
 * other requests, because followers ask often.
 */
export async function listChangesSince(
  { slowReader: reader }: Database,
  viewer: Viewer,
  since: number,
  limit: number,
): Promise<FeedPage> {
  const { last: head } = await findChangeHead(reader);
  if (since > head)
    throw new Gone(
      `This gallery has not reached change ${since}, perhaps because it was restored from a backup: begin anew with since=0.`,
    );
  const isOwn = viewer.contributor === null ? sql`1 = 0` : sql`owner = ${viewer.contributor}`;
  const isVisible = viewer.isModerator
    ? sql`1 = 1`
    : sql`(listed = 1 or (kind in (${join(publicFeedKinds)}) and ${isFindableBy(viewer, 'subject')}) or ${isOwn})`;
  const found = await reader.all(
    select(
      entryColumns,
      sql`from (select * from change where sequence > ${since} order by sequence limit ${maxScanned}) as scanned
          where kind in (${join(feedKinds)}) and ${isVisible} order by sequence limit ${limit + 1}`,
    ),
  );
  const entries = await markGone(reader, viewer, found.slice(0, limit));
  const lastEntry = entries.at(-1)?.sequence ?? since;
  if (found.length > limit) return { entries, last: lastEntry, hasMore: true };
  const hasMore = since + maxScanned < head;
  return { entries, last: hasMore ? since + maxScanned : lastEntry, hasMore };
}

async function markGone(reader: Reader, viewer: Viewer, entries: readonly FeedEntry[]): Promise<FeedEntry[]> {
  const readableIds = await findReadable(reader, viewer, entries);
  return entries.map((entry) =>
    subjectOf(entry.kind) !== 'project' || readableIds.has(entry.subject)
      ? entry
      : { ...entry, action: 'gone' },
  );
}

/** The number of the last change, and the hash that covers all changes. */
export async function findChangeHead(reader: Reader): Promise<RowOf<typeof changeHeadTable.columns>> {
  return (await reader.first(changeHead)) ?? { last: 0, hash: '' };
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
