// The part of the change log that a viewer may see. An entry is about something that visitors' listings had then, or
// about the viewer's own; if the viewer may no longer see it, the action is `gone`.

import sql, { join } from 'sql-template-tag';
import type { Reader } from '../database/open.ts';
import type { Instant } from './instant.ts';
import { readableBy } from './projects/visibility.ts';
import type { Viewer } from './viewer.ts';

export const feedKinds = ['project', 'rating', 'contributor'] as const;

export interface FeedEntry {
  readonly sequence: number;
  readonly at: Instant;
  readonly action: string;
  readonly kind: (typeof feedKinds)[number];
  readonly subject: number;
}

/** The next `limit` entries after a sequence number, in commit order. */
export async function listChangesSince(
  reader: Reader,
  viewer: Viewer,
  since: number,
  limit: number,
): Promise<FeedEntry[]> {
  const isOwn = viewer.contributor === null ? sql`1 = 0` : sql`owner = ${viewer.contributor}`;
  const isVisible = viewer.isModerator ? sql`1 = 1` : sql`(listed = 1 or kind = 'contributor' or ${isOwn})`;
  const entries = await reader.all<FeedEntry>(
    sql`select sequence, at, action, kind, subject from change
        where sequence > ${since} and kind in (${join([...feedKinds])}) and ${isVisible}
        order by sequence limit ${limit}`,
  );
  const readableIds = await findReadable(reader, viewer, entries);
  return entries.map((entry) =>
    entry.kind === 'contributor' || readableIds.has(entry.subject) ? entry : { ...entry, action: 'gone' },
  );
}

async function findReadable(
  reader: Reader,
  viewer: Viewer,
  entries: readonly FeedEntry[],
): Promise<Set<number>> {
  const ids = [
    ...new Set(entries.filter(({ kind }) => kind !== 'contributor').map(({ subject }) => subject)),
  ];
  if (ids.length === 0) return new Set();
  const rows = await reader.all<{ id: number }>(
    sql`select id from project where id in (${join(ids)}) and ${readableBy(viewer)}`,
  );
  return new Set(rows.map(({ id }) => id));
}
