// The family of a project: what it was copied from, and what was copied from it. A project that the reader may not
// see keeps its place where one that they may see hangs from it, but says nothing; where none does, it is not
// there.

import sql, { join, raw } from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';
import type { Project } from '../projects/project.ts';
import { foundBy, readableBy } from '../projects/visible.ts';
import type { Viewer } from '../viewer.ts';

export const mostCopies = 10_000;
const mostAncestors = 1000;

/** What a member of the family says of itself. */
type Relative = Pick<
  Project,
  'id' | 'uuid' | 'slug' | 'title' | 'contributor' | 'username' | 'first_name' | 'last_name'
>;

export interface Kin {
  readonly id: number;
  readonly copied_from: number | null;
  /** Not there for who may not see it. */
  readonly project: Relative | undefined;
}

export interface Lineage {
  /** The nearest first. */
  readonly ancestors: readonly Kin[];
  /** By generation, so that each comes after what it was copied from. */
  readonly copies: readonly Kin[];
  /** There are more that the reader may see than were asked for. */
  readonly truncated: boolean;
}

interface Row extends Omit<Relative, 'username' | 'first_name' | 'last_name'> {
  copied_from: number | null;
  visible: number;
}

type Names = Pick<Relative, 'username' | 'first_name' | 'last_name'>;

/** Whoever calls has seen that the reader may see the project itself. */
export async function lineageOf(
  reads: Reads,
  viewer: Viewer,
  { id, copied_from }: Pick<Project, 'id' | 'copied_from'>,
  most: number,
): Promise<Lineage> {
  const above = copied_from === null ? [] : await ancestorsFrom(reads, viewer, copied_from);
  const below = await copiesOf(reads, viewer, id, mostCopies + 1);
  const known = pruned(below);
  // Counted without what is hidden, which would tell of itself; a place that nothing shown hangs from goes too.
  const shown = pruned(known.slice(0, most));
  const truncated = known.length > most || below.length > mostCopies;
  const names = await namesOf(reads, [...above, ...shown]);
  const kin = ({ visible, ...row }: Row): Kin => {
    const person = names.get(row.contributor);
    const { id, copied_from, uuid, slug, title, contributor } = row;
    if (!visible || !person) return { id, copied_from: visible ? copied_from : null, project: undefined };
    return { id, copied_from, project: { id, uuid, slug, title, contributor, ...person } };
  };
  const ancestors = above.map(kin);
  const last = ancestors.at(-1);
  const source = last ? (last.project ? last.copied_from : null) : copied_from;
  // The nearest source that is gone, or that nobody may see, is known by its id all the same.
  if (source !== null) ancestors.push({ id: source, copied_from: null, project: undefined });
  const held = shown
    .map(kin)
    .map((one, index) => ({ ...one, copied_from: shown[index]?.copied_from ?? null }));
  return { ancestors, copies: held, truncated };
}

const columns = raw('p.id, p.copied_from, p.uuid, p.slug, p.title, p.contributor');

/** As far up as there is one that the reader may see. */
async function ancestorsFrom(reads: Reads, viewer: Viewer, source: number): Promise<Row[]> {
  const rows = await reads.all<Row>(
    sql`with recursive up (id, steps) as (
          select cast(${source} as bigint), 1
          union all
          select p.copied_from, steps + 1 from up join project p on p.id = up.id
          where p.copied_from is not null and steps < ${mostAncestors}
        )
        select ${columns}, case when p.id in (select id from project where id = p.id and ${readableBy(viewer)}) then 1 else 0 end as visible
        from up join project p on p.id = up.id order by steps`,
  );
  return rows.slice(0, rows.findLastIndex(({ visible }) => visible) + 1);
}

function copiesOf(reads: Reads, viewer: Viewer, id: number, most: number): Promise<Row[]> {
  return reads.all<Row>(
    sql`with recursive tree (id, depth) as (
          select id, 1 from project where copied_from = ${id}
          union all
          select p.id, depth + 1 from tree join project p on p.copied_from = tree.id
        ), nearest as (select id, depth from tree limit ${most})
        select ${columns}, case when p.id in (select id from project where id = p.id and ${foundBy(viewer)}) then 1 else 0 end as visible
        from nearest join project p on p.id = nearest.id order by depth, p.id`,
  );
}

/** Without what the reader may not see, unless something that they may see was copied from it. */
function pruned(rows: Row[]): Row[] {
  const needed = new Set<number>();
  for (const { id, copied_from, visible } of rows.toReversed()) {
    if ((visible || needed.has(id)) && copied_from !== null) needed.add(copied_from);
  }
  return rows.filter(({ id, visible }) => visible || needed.has(id));
}

async function namesOf(reads: Reads, rows: Row[]): Promise<Map<number, Names>> {
  const ids = [...new Set(rows.map(({ contributor }) => contributor))];
  const names = new Map<number, Names>();
  for (let start = 0; start < ids.length; start += 500) {
    const people = await reads.all<Names & { id: number }>(
      sql`select id, username, first_name, last_name from contributor where id in (${join(ids.slice(start, start + 500))})`,
    );
    for (const { id, ...person } of people) names.set(id, person);
  }
  return names;
}
