// Holds what is stored twice against what it follows from, and mends it. Each check finds the ids of what is off
// within a range of ids, and knows how to put it right.

import sql, { join, type Sql } from 'sql-template-tag';
import type { Database, Reads, Transaction } from '../database/open.ts';
import { tagTable } from '../database/schema.ts';
import { transact } from './changes/transact.ts';
import { chunks } from './chunks.ts';
import { tagKey } from './projects/filters.ts';
import { earned, ratingCount, ratingSum } from './projects/karma.ts';
import { fileAnew, filed } from './projects/search-words.ts';
import { tagsOf } from './projects/stored.ts';
import { retally } from './projects/tally.ts';
import { rootOf, veilStored } from './projects/threads.ts';
import { visitorsList } from './projects/visible.ts';
import { sortKey } from './words.ts';

interface Finding {
  /** What is off, in a few words. */
  readonly what: string;
  /** Of which projects; none where it is the gallery's. */
  readonly projects: number[];
}

interface Check {
  readonly what: string;
  /** Those of the projects between two ids, the first left out, that are off. */
  find(reads: Reads, above: number, upTo: number): Promise<number[]>;
  mend(transaction: Transaction, projects: number[]): Promise<void>;
}

const atOnce = 500;

const between = (above: number, upTo: number) => sql`project.id > ${above} and project.id <= ${upTo}`;

/** A check whose every word can be said in SQL. */
function stated(what: string, off: Sql, set: Sql[]): Check {
  return {
    what,
    async find(reads, above, upTo) {
      const rows = await reads.all<{ id: number }>(
        sql`select id from project where ${between(above, upTo)} and (${off}) order by id`,
      );
      return rows.map(({ id }) => id);
    },
    async mend(transaction, projects) {
      for (const change of set)
        await transaction.run(sql`update project set ${change} where id in (${join(projects)})`);
    },
  };
}

const karma = sql`case when opening_karma + earned > 0 then opening_karma + earned else 0 end`;
const lastNameKey = sql`(select last_name_key from contributor where contributor.id = project.contributor)`;

const checks: readonly Check[] = [
  stated(
    'the ratings do not make the figures',
    sql`rating_count <> opening_rating_count + ${ratingCount} or rating_sum <> opening_rating_sum + ${ratingSum}`,
    [
      sql`rating_count = opening_rating_count + ${ratingCount}, rating_sum = opening_rating_sum + ${ratingSum}`,
    ],
  ),
  stated('the karma is not what was earned', sql`earned <> ${earned} or karma <> ${karma}`, [
    sql`earned = ${earned}`,
    sql`karma = ${karma}`,
  ]),
  stated(
    'a comment does not know its project',
    sql`content_type = 'comment' and coalesce(root, 0) <> coalesce(${rootOf}, 0)`,
    [sql`root = ${rootOf}`],
  ),
  stated('a comment does not know how visible its project is', sql`veil <> ${veilStored}`, [
    sql`veil = ${veilStored}`,
  ]),
  stated('the last name does not sort as it is', sql`last_name_key <> ${lastNameKey}`, [
    sql`last_name_key = ${lastNameKey}`,
  ]),
  {
    what: 'the title does not sort as it is',
    async find(reads, above, upTo) {
      const rows = await reads.all<{ id: number; title: string; title_key: string }>(
        sql`select id, title, title_key from project where ${between(above, upTo)} order by id`,
      );
      return rows.filter(({ title, title_key }) => sortKey(title) !== title_key).map(({ id }) => id);
    },
    async mend(transaction, projects) {
      const rows = await transaction.all<{ id: number; title: string }>(
        sql`select id, title from project where id in (${join(projects)})`,
      );
      for (const { id, title } of rows)
        await transaction.run(sql`update project set title_key = ${sortKey(title)} where id = ${id}`);
    },
  },
  {
    what: 'the tags are not those of the record',
    async find(reads, above, upTo) {
      const tags = await reads.all<{ project: number; tag: string; tag_key: string }>(
        sql`select project, tag, tag_key from tag where project > ${above} and project <= ${upTo}
            order by project, position`,
      );
      const kept = Map.groupBy(tags, ({ project }) => project);
      const rows = await reads.all<{ id: number; tags: string }>(
        sql`select id, tags from project where ${between(above, upTo)} order by id`,
      );
      return rows
        .filter(({ id, tags }) => {
          const own = kept.get(id) ?? [];
          return (
            own.map(({ tag }) => tag).join(', ') !== tags ||
            own.some((row) => tagKey(row.tag) !== row.tag_key)
          );
        })
        .map(({ id }) => id);
    },
    async mend(transaction, projects) {
      await transaction.run(sql`delete from tag where project in (${join(projects)})`);
      const rows = await transaction.all<{ id: number; tags: string }>(
        sql`select id, tags from project where id in (${join(projects)}) and tags <> ''`,
      );
      for (const row of rows)
        await transaction.put(
          tagTable,
          tagsOf(row).map((tag, position) => [row.id, position, tag, tagKey(tag)]),
        );
    },
  },
];

/** What the gallery keeps count of, and the same counted anew. */
const counted: readonly [what: string, kept: Sql, anew: Sql][] = [
  [
    'the counts of projects are off',
    sql`select visibility, status, veil, content_type, count from tally where count <> 0`,
    sql`select visibility, status, veil, content_type, count(*) as count from project
        group by visibility, status, veil, content_type`,
  ],
  [
    'the counts of tags are off',
    sql`select tag_key, count from tag_count where count <> 0`,
    sql`select tag_key, count(*) as count from tag
        where project in (select id from project where ${visitorsList}) group by tag_key`,
  ],
];

/** What is off; with `repair` it is right again afterwards. */
export async function check(database: Database, repair: boolean): Promise<Finding[]> {
  // What is found by words is looked at first, and again: somebody may have written while we looked.
  const suspects = await misfiled(database, sql`1 = 1`);
  const lost: number[] = [];
  for (const some of chunks(suspects))
    lost.push(...(await misfiled(database, sql`project.id in (${join(some)})`)));
  const strays = await database.auditSearch().strays();
  const search = [
    { what: 'a search does not find it as it is', projects: lost },
    { what: 'a search would find what there is not', projects: strays },
  ].filter(({ projects }) => projects.length > 0);
  if (!repair) return [...search, ...(await database.snapshot((reads) => found(reads)))];
  return transact(database, null, async (transaction, changeSet) => {
    for (const some of chunks(lost)) await fileAnew(transaction, sql`project.id in (${join(some)})`);
    if (strays.length) await transaction.dropSearchWords(strays);
    const rest = await found(transaction, (check, ids) => check.mend(transaction, ids));
    const findings = [...search, ...rest];
    if (rest.length) await retally(transaction);
    for (const id of new Set(findings.flatMap(({ projects }) => projects))) {
      await transaction.run(
        sql`update project set touched = case when touched < ${changeSet.at} then ${changeSet.at} else touched + 1 end where id = ${id}`,
      );
      changeSet.add({ action: 'repaired', kind: 'project', subject: id });
    }
    if (findings.length) changeSet.add({ action: 'repaired', kind: 'thread', subject: 0 });
    return findings;
  });
}

async function misfiled(database: Database, which: Sql): Promise<number[]> {
  const audit = database.auditSearch();
  const off: number[] = [];
  for (let last = 0; ; ) {
    const next = await filed(database, sql`${which} and project.id > ${last}`);
    const end = next.at(-1);
    if (!end) return off;
    off.push(...(await audit.misfiled(next)));
    last = end[0];
  }
}

async function found(
  reads: Reads,
  mend: (check: Check, projects: number[]) => Promise<void> = async () => {},
): Promise<Finding[]> {
  const off = new Map<string, number[]>();
  for await (const [above, upTo] of ranges(reads)) {
    for (const check of checks) {
      const projects = await check.find(reads, above, upTo);
      if (projects.length === 0) continue;
      off.set(check.what, [...(off.get(check.what) ?? []), ...projects]);
      await mend(check, projects);
    }
  }
  const findings = [...off].map(([what, projects]) => ({ what, projects }));
  for (const [what, kept, anew] of counted) {
    const [one, other] = [await reads.all(kept), await reads.all(anew)];
    if (!sameRows(one, other)) findings.push({ what, projects: [] });
  }
  const log = await reads.first<{ count: number; first: number | null; last: number }>(
    sql`select count(*) as count, min(sequence) as first, (select last from change_head) as last from change`,
  );
  if (log?.count && log.first !== null && log.last - log.first + 1 !== log.count)
    findings.push({ what: 'the change log has gaps', projects: [] });
  return findings;
}

async function* ranges(reads: Reads): AsyncGenerator<[above: number, upTo: number]> {
  for (let above = 0; ; ) {
    const end = await reads.first<{ last: number | null }>(
      sql`select max(id) as last from (select id from project where id > ${above} order by id limit ${atOnce}) as next`,
    );
    if (!end || end.last === null) return;
    yield [above, end.last];
    above = end.last;
  }
}

function sameRows(one: unknown[], other: unknown[]): boolean {
  const lines = (rows: unknown[]) =>
    rows
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n');
  return lines(one) === lines(other);
}
