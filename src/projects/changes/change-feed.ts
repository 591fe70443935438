// The part of the change log that a viewer may see. An entry is about something that visitors' listings had then, or
// about the viewer's own; if the viewer may no longer see it, the action is `gone`.

import sql, { join } from 'sql-template-tag';
import { Gone } from '#common/errors.ts';
import { runOutsideRequests } from '#common/request-lifetime.ts';
import { all, type Database, pick, type Reader, type RowOf } from '#sql';
import { type FeedKindName, feedKinds, publicFeedKinds, subjectOf } from '../../core/changes/change-kinds.ts';
import { findChangeHead, findLastArchive } from '../../core/changes/head.ts';
import { changeTable } from '../../core/changes/tables.ts';
import { isFindableBy } from '../../core/contributors/find-contributors.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { type FilteredProject, filteredColumns } from '../reading/filters.ts';
import type { AppliedFilters } from '../reading/tagged-projects.ts';
import { projectTable } from '../tables.ts';
import { readableById } from '../visibility/visible-to.ts';

const entryColumns = {
  ...pick(changeTable.columns, 'sequence', 'at', 'action', 'subject'),
  kind: changeTable.columns.kind.narrow<FeedKindName>(),
};

export type FeedEntry = RowOf<typeof entryColumns>;

/** How many entries are looked at for one page: a viewer may see only a few of them. */
const maxScanned = 5000;

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** The number from which to go on: that of the last entry, or one up to which all were looked at. */
  readonly last: number;
  /** All entries up to this number were looked at. */
  readonly reached: number;
  readonly hasMore: boolean;
}

/**
 * The next entries after a sequence number, in commit order, of those that match the filters. Throws Gone if the log has
 * not reached it, or begins after it. It is read beside other requests, because followers ask often.
 */
export async function listChangesSince(
  database: Database,
  viewer: Viewer,
  since: number,
  limit: number,
  filters: AppliedFilters = new Map(),
): Promise<FeedPage> {
  const { slowReader: reader } = database;
  const head = await findHeadAfter(reader, since);
  const isOwn = viewer.contributor === null ? sql`1 = 0` : sql`owner = ${viewer.contributor}`;
  const isVisible = viewer.isModerator
    ? sql`1 = 1`
    : sql`(listed = 1 or (kind in (${join(publicFeedKinds)}) and ${isFindableBy(viewer, 'subject')}) or ${isOwn})`;
  const found = await all(reader, entryColumns)`from (select * from change where sequence > ${since}
    order by sequence limit ${maxScanned}) as scanned
    where kind in (${join(feedKinds)}) and ${isVisible} order by sequence limit ${limit + 1}`;
  // They may have been moved since.
  await requireKept(reader, since);
  const page = found.slice(0, limit);
  const readable = await findReadableIds(reader, viewer, projectsOf(page));
  const projects = filters.size === 0 ? [] : await loadFilteredProjects(reader, [...readable]);
  const entries = keepMatching(filters, markGone(page, readable), projects);
  const lastFound = page.at(-1)?.sequence ?? since;
  if (found.length > limit) return { entries, last: lastFound, reached: lastFound, hasMore: true };
  const hasMore = since + maxScanned < head;
  if (hasMore) return { entries, last: since + maxScanned, reached: since + maxScanned, hasMore };
  return { entries, last: lastFound, reached: Math.max(head, lastFound), hasMore };
}

/** The end of the log as the database that is read has it. Throws as `listChangesSince`. */
export async function findHeadAfter(reader: Reader, since: number): Promise<number> {
  await requireKept(reader, since);
  const { last } = await findChangeHead(reader);
  if (since <= last) return last;
  // A replica may lack a number that the client has from another process.
  if (since <= (await runOutsideRequests(() => findChangeHead(reader))).last) return since;
  throw new Gone(
    `This gallery has not reached change ${since}, perhaps because it was restored from a backup: begin anew with since=0.`,
  );
}

async function requireKept(reader: Reader, since: number): Promise<void> {
  const { last } = (await findLastArchive(reader)) ?? { last: 0 };
  if (since < last)
    throw new Gone(
      `The changes up to ${last} are in the archive: read them at /api/v1/changes/?archived=true&since=${since}, or begin anew with all records and since=${last}.`,
    );
}

/** The ids of the projects that the entries are about. */
export const projectsOf = (entries: readonly FeedEntry[]): number[] => [
  ...new Set(entries.filter(({ kind }) => subjectOf(kind) === 'project').map(({ subject }) => subject)),
];

export const markGone = (entries: readonly FeedEntry[], readableIds: ReadonlySet<number>): FeedEntry[] =>
  entries.map((entry) =>
    subjectOf(entry.kind) !== 'project' || readableIds.has(entry.subject)
      ? entry
      : { ...entry, action: 'gone' },
  );

/** Filters are about projects. What is gone passes all: nobody may know what it was. */
export function keepMatching(
  filters: AppliedFilters,
  entries: readonly FeedEntry[],
  projects: readonly FilteredProject[],
): readonly FeedEntry[] {
  if (filters.size === 0) return entries;
  const isMatch = (project: FilteredProject) =>
    [...filters.values()].every(({ filter, value }) => filter.matches?.(value, project));
  const matching = new Set(projects.filter(isMatch).map(({ id }) => id));
  return entries.filter(
    ({ kind, action, subject }) =>
      subjectOf(kind) === 'project' && (action === 'gone' || matching.has(subject)),
  );
}

/** The members of these projects that filters compare. */
export async function loadFilteredProjects(
  reader: Reader,
  ids: readonly number[],
): Promise<readonly FilteredProject[]> {
  if (ids.length === 0) return [];
  return all(reader, filteredColumns())`from project where id in (${join([...ids])})`;
}

/** Of these projects, those that the viewer may open. */
export async function findReadableIds(
  reader: Reader,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await all(reader, pick(projectTable.columns, 'id'))`from project
    where id in (${join([...ids])}) and ${readableById(viewer)}`;
  return new Set(rows.map(({ id }) => id));
}

/** The people who may see more of these projects than visitors do, beside moderators: see `readableById`. */
export async function findOwners(reader: Reader, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const list = join([...ids]);
  const rows = await all(reader, pick(projectTable.columns, 'contributor'))`from project
    where id in (${list}) or id in (select root from project where id in (${list}))`;
  return new Set(rows.map(({ contributor }) => contributor));
}
