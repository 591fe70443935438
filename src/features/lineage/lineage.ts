// The lineage of a project: its ancestors and its copies. A project that the viewer may not see keeps an empty entry
// if a visible one was copied from it; otherwise it is left out.

import sql, { join, type Sql } from 'sql-template-tag';
import { all, type Database, integer, pick, qualify, type Reader, type RowOf, select } from '#sql';
import { chunks } from '../../core/chunks.ts';
import { type ContributorNames, nameColumns } from '../../core/contributors/contributor.ts';
import { contributorTable } from '../../core/contributors/tables.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { type Project, projectColumns } from '../../projects/project.ts';
import { discoverableBy } from '../../projects/visibility/visible-to.ts';

export const maxCopies = 10_000;
const maxAncestors = 1000;

type LineageProject = Pick<
  Project,
  'id' | 'uuid' | 'slug' | 'title' | 'content_type' | 'contributor' | 'license' | keyof ContributorNames
>;

export interface LineageEntry {
  readonly id: number;
  readonly copied_from: number | null;
  /** Undefined if the viewer may not see it. */
  readonly project: LineageProject | undefined;
}

export interface Lineage {
  /** Nearest first. */
  readonly ancestors: readonly LineageEntry[];
  /** By generation: an entry comes after its source. */
  readonly copies: readonly LineageEntry[];
  /** The viewer may see more copies than `limit`. */
  readonly truncated: boolean;
}

const columns = qualify(
  'p',
  pick(
    projectColumns,
    'id',
    'copied_from',
    'uuid',
    'slug',
    'title',
    'content_type',
    'contributor',
    'license',
  ),
);
const columnsWith = (isVisible: Sql) => ({
  ...columns,
  visible: integer(
    sql`case when p.id in (select id from project where id = p.id and ${isVisible}) then 1 else 0 end`,
  ),
});
type Row = RowOf<ReturnType<typeof columnsWith>>;

/** The caller has checked that the viewer may see the project itself. Thousands of copies take long to read. */
export async function loadLineage(
  { slowReader: reader }: Database,
  viewer: Viewer,
  { id, copied_from }: Pick<Project, 'id' | 'copied_from'>,
  limit: number,
): Promise<Lineage> {
  const ancestorRows = copied_from === null ? [] : await loadAncestors(reader, viewer, copied_from);
  const copyRows = await loadCopies(reader, viewer, id, maxCopies + 1);
  const visibleCopies = prune(copyRows);
  // Limited after hidden projects are removed, so that the count reveals nothing of them; then entries without
  // visible copies are removed.
  const shown = prune(visibleCopies.slice(0, limit));
  const truncated = visibleCopies.length > limit || copyRows.length > maxCopies;
  const names = await loadNames(reader, [...ancestorRows, ...shown]);
  const toEntry = ({ visible, ...row }: Row): LineageEntry => {
    const contributorNames = names.get(row.contributor);
    const { id, copied_from, contributor, ...link } = row;
    if (!visible || !contributorNames)
      return { id, copied_from: visible ? copied_from : null, project: undefined };
    return { id, copied_from, project: { id, contributor, ...link, ...contributorNames } };
  };
  const ancestors = ancestorRows.map(toEntry);
  const topmost = ancestors.at(-1);
  const source = topmost ? (topmost.project ? topmost.copied_from : null) : copied_from;
  // A nearest source that was deleted or is hidden is still known by its id.
  if (source !== null) ancestors.push({ id: source, copied_from: null, project: undefined });
  const copies = shown
    .map(toEntry)
    .map((entry, index) => ({ ...entry, copied_from: shown[index]?.copied_from ?? null }));
  return { ancestors, copies, truncated };
}

/** Up to the last ancestor that the viewer may see. */
async function loadAncestors(reader: Reader, viewer: Viewer, source: number): Promise<Row[]> {
  const rows = await reader.all(
    select(
      columnsWith(discoverableBy(viewer)),
      sql`from up join project p on p.id = up.id order by steps`,
      sql`with recursive up (id, steps) as (
            select cast(${source} as bigint), 1
            union all
            select p.copied_from, steps + 1 from up join project p on p.id = up.id
            where p.copied_from is not null and steps < ${maxAncestors}
          )`,
    ),
  );
  return rows.slice(0, rows.findLastIndex(({ visible }) => visible) + 1);
}

function loadCopies(reader: Reader, viewer: Viewer, id: number, limit: number): Promise<Row[]> {
  return reader.all(
    select(
      columnsWith(discoverableBy(viewer)),
      sql`from nearest join project p on p.id = nearest.id order by depth, p.id`,
      sql`with recursive tree (id, depth) as (
            select id, 1 from project where copied_from = ${id}
            union all
            select p.id, depth + 1 from tree join project p on p.copied_from = tree.id
          ), nearest as (select id, depth from tree limit ${limit})`,
    ),
  );
}

/** Removes hidden projects unless a visible one was copied from them. */
function prune(rows: Row[]): Row[] {
  const needed = new Set<number>();
  for (const { id, copied_from, visible } of rows.toReversed()) {
    if ((visible || needed.has(id)) && copied_from !== null) needed.add(copied_from);
  }
  return rows.filter(({ id, visible }) => visible || needed.has(id));
}

const contributorColumns = { ...pick(contributorTable.columns, 'id'), ...nameColumns };

async function loadNames(reader: Reader, rows: Row[]): Promise<Map<number, ContributorNames>> {
  const names = new Map<number, ContributorNames>();
  for (const ids of chunks(new Set(rows.map(({ contributor }) => contributor)))) {
    const contributors = await all(reader, contributorColumns)`from contributor where id in (${join(ids)})`;
    for (const { id, ...contributorNames } of contributors) names.set(id, contributorNames);
  }
  return names;
}
