// Compares derived data with its sources and repairs it. Each check finds wrong projects within a range of ids and
// knows how to repair them.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import {
  all,
  type Database,
  execute,
  first,
  hashChange,
  hashedColumns,
  integer,
  nullable,
  pick,
  type Reader,
  type Transaction,
} from '#sql';
import { findChangeHead, findLastArchive } from '../../core/changes/head.ts';
import { changeTable } from '../../core/changes/tables.ts';
import { transact } from '../../core/changes/transact.ts';
import { chunks } from '../../core/chunks.ts';
import { readTable } from '../../core/listing/table-listing.ts';
import { sortKey } from '../../core/words.ts';
import { isUpToDateSql } from '../people/contributor-updates.ts';
import { projectColumns } from '../project.ts';
import { readSearchEntries, rebuildSearchEntries } from '../searching/search-words.ts';
import { projectTable, tagTable } from '../tables.ts';
import { toTagRows } from '../tags.ts';
import { threadVisibilitySql } from '../visibility/thread-visibility.ts';
import { isErasedSql } from '../visibility/visible-to.ts';
import { earnedSql, karmaSql, totalRatingCountSql, totalRatingSumSql } from '../writing/karma.ts';
import { listStoredCounts, recountProjects } from '../writing/project-counts.ts';
import { recomputeThreads, rootSql } from '../writing/update-threads.ts';
import { nextVersionSql } from '../writing/version.ts';

const columns = { ...hashedColumns, hash: changeTable.columns.hash };

/**
 * The number of the first change that is missing or was altered, after those in the archive. A log may begin with any number:
 * that of a dump does.
 */
async function findBrokenChange(reader: Reader): Promise<number | undefined> {
  const archive = await findLastArchive(reader);
  let last = archive && { sequence: archive.last, hash: archive.change_hash };
  const isNotArchived = sql`sequence > ${archive?.last ?? 0}`;
  for await (const changes of readTable(reader, changeTable, columns, isNotArchived)) {
    for (const change of changes) {
      const expected = last ? last.sequence + 1 : change.sequence;
      if (change.sequence !== expected || change.hash !== hashChange(last?.hash ?? '', change))
        return expected;
      last = change;
    }
  }
  const head = await findChangeHead(reader);
  return head.hash === (last?.hash ?? '') ? undefined : (last?.sequence ?? 0) + 1;
}

interface Finding {
  /** A short description for the operator. */
  readonly problem: string;
  /** The ids of wrong projects; empty if the problem concerns the whole gallery. */
  readonly projects: number[];
}

interface Check {
  readonly problem: string;
  /** The wrong projects with ids above `above`, up to and including `upTo`. */
  find(reader: Reader, above: number, upTo: number): Promise<number[]>;
  repair(transaction: Transaction, projects: number[]): Promise<void>;
}

const batchSize = 500;

const isBetween = (above: number, upTo: number) => sql`project.id > ${above} and project.id <= ${upTo}`;

const idColumn = pick(projectTable.columns, 'id');
const titleColumns = pick(projectTable.columns, 'id', 'title', 'title_key');
const tagsColumns = pick(
  projectColumns,
  ...(['id', 'tags', 'content_type', 'created', 'visibility', 'status', 'thread_visibility'] as const),
);

/** A check that is written in SQL only. */
function sqlCheck(problem: string, isWrong: Sql, set: Sql[]): Check {
  return {
    problem,
    async find(reader, above, upTo) {
      const rows = await all(reader, idColumn)`from project
        where ${isBetween(above, upTo)} and (${isWrong}) order by id`;
      return rows.map(({ id }) => id);
    },
    async repair(transaction, projects) {
      for (const change of set)
        await execute(transaction)`update project set ${change} where id in (${join(projects)})`;
    },
  };
}

const lastNameKey = sql`(select last_name_key from contributor where contributor.id = project.contributor)`;

const checks: readonly Check[] = [
  sqlCheck(
    'the figures do not match the ratings',
    sql`rating_count <> ${totalRatingCountSql} or rating_sum <> ${totalRatingSumSql}`,
    [sql`rating_count = ${totalRatingCountSql}, rating_sum = ${totalRatingSumSql}`],
  ),
  sqlCheck(
    'the karma does not match what was earned',
    sql`earned_karma <> ${earnedSql} or karma <> ${karmaSql()}`,
    [sql`earned_karma = ${earnedSql}`, sql`karma = ${karmaSql()}`],
  ),
  {
    ...sqlCheck(
      'a comment belongs to another project than is stored',
      sql`content_type = 'comment' and root is distinct from ${rootSql}`,
      [],
    ),
    // Replies to such a comment agree with it, so that they are found only when it is right.
    repair: recomputeThreads,
  },
  sqlCheck(
    'a comment does not follow the visibility of its project',
    sql`thread_visibility <> ${threadVisibilitySql}`,
    [sql`thread_visibility = ${threadVisibilitySql}`],
  ),
  sqlCheck(
    'the sort key of the last name is wrong',
    sql`last_name_key <> ${lastNameKey} and ${isUpToDateSql}`,
    [sql`last_name_key = ${lastNameKey}`],
  ),
  {
    problem: 'the sort key of the title is wrong',
    async find(reader, above, upTo) {
      const rows = await all(reader, titleColumns)`from project where ${isBetween(above, upTo)} order by id`;
      return rows.filter(({ title, title_key }) => sortKey(title) !== title_key).map(({ id }) => id);
    },
    async repair(transaction, projects) {
      const rows = await all(transaction, titleColumns)`from project where id in (${join(projects)})`;
      for (const { id, title } of rows)
        await execute(transaction)`update project set title_key = ${sortKey(title)} where id = ${id}`;
    },
  },
  {
    problem: 'the stored tags do not match the record',
    async find(reader, above, upTo) {
      const tags = await all(reader, tagTable.columns)`from tag
        where project > ${above} and project <= ${upTo} order by project, position`;
      const tagsByProject = Map.groupBy(tags, ({ project }) => project);
      const rows = await all(reader, tagsColumns)`from project where ${isBetween(above, upTo)} order by id`;
      return rows
        .filter((row) => !Bun.deepEquals(tagsByProject.get(row.id) ?? [], toTagRows(row)))
        .map(({ id }) => id);
    },
    async repair(transaction, projects) {
      await execute(transaction)`delete from tag where project in (${join(projects)})`;
      const rows = await all(transaction, tagsColumns)`from project
        where id in (${join(projects)}) and tags <> ''`;
      for (const row of rows) await transaction.insert(tagTable, toTagRows(row));
    },
  },
];

/** Finds all problems; with `repair`, also repairs them. */
export async function checkGallery(database: Database, repair: boolean): Promise<Finding[]> {
  // The search index is checked first, and what looks wrong again: there may have been writes in between.
  const suspects = await findSearchMismatches(database, isUpToDateSql);
  const mismatches: number[] = [];
  for (const ids of chunks(suspects))
    mismatches.push(
      ...(await findSearchMismatches(database, sql`project.id in (${join(ids)}) and ${isUpToDateSql}`)),
    );
  const orphans = await database.auditSearch().findOrphans(sql`not ${isErasedSql}`);
  const searchFindings = [
    { problem: 'the search index does not match the record', projects: mismatches },
    { problem: 'the search index has an entry without a project', projects: orphans },
  ].filter(({ projects }) => projects.length > 0);
  if (!repair) return [...searchFindings, ...(await database.snapshot((reader) => findProblems(reader)))];
  return transact(database, null, async ({ transaction, changeSet }) => {
    await transaction.lockChangeLog();
    for (const ids of chunks(mismatches))
      await rebuildSearchEntries(transaction, sql`project.id in (${join(ids)})`);
    if (orphans.length) await transaction.deleteSearchWords(orphans);
    const rest = await findProblems(transaction, (check, ids) => check.repair(transaction, ids));
    const findings = [...searchFindings, ...rest];
    if (rest.length) await recountProjects(transaction);
    for (const id of new Set(findings.flatMap(({ projects }) => projects))) {
      await execute(transaction)`update project set record_modified = ${nextVersionSql(changeSet.at)}
        where id = ${id}`;
      changeSet.add({ action: 'repaired', kind: 'project', subject: id });
    }
    if (findings.length) changeSet.add({ action: 'repaired', kind: 'thread', subject: 0 });
    return findings;
  });
}

async function findSearchMismatches(database: Database, condition: Sql): Promise<number[]> {
  const audit = database.auditSearch();
  const mismatches: number[] = [];
  for await (const entries of readSearchEntries(database, condition))
    mismatches.push(...(await audit.findMismatches(entries)));
  return mismatches;
}

async function findProblems(
  reader: Reader,
  repair: (check: Check, projects: number[]) => Promise<void> = async () => {},
): Promise<Finding[]> {
  const projectsByProblem = new Map<string, number[]>();
  for await (const [above, upTo] of idRanges(reader)) {
    for (const check of checks) {
      const projects = await check.find(reader, above, upTo);
      if (projects.length === 0) continue;
      projectsByProblem.set(check.problem, [...(projectsByProblem.get(check.problem) ?? []), ...projects]);
      await repair(check, projects);
    }
  }
  const findings = [...projectsByProblem].map(([problem, projects]) => ({ problem, projects }));
  for (const { problem, table, rows } of listStoredCounts()) {
    const stored = await all(reader, table.columns)`from ${raw(table.name)} where count <> 0`;
    const recounted = await all(reader, table.columns)`from (${rows}) as recounted`;
    if (!haveSameRows(stored, recounted)) findings.push({ problem, projects: [] });
  }
  const brokenChange = await findBrokenChange(reader);
  if (brokenChange !== undefined)
    findings.push({ problem: `the change log is broken at change ${brokenChange}`, projects: [] });
  return findings;
}

async function* idRanges(reader: Reader): AsyncGenerator<[above: number, upTo: number]> {
  for (let above = 0; ; ) {
    const end = await first(reader, { last: nullable(integer(sql`max(id)`)) })`from (select id from project
      where id > ${above} order by id limit ${batchSize}) as next`;
    if (!end || end.last === null) return;
    yield [above, end.last];
    above = end.last;
  }
}

function haveSameRows(first: unknown[], second: unknown[]): boolean {
  const lines = (rows: unknown[]) =>
    rows
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n');
  return lines(first) === lines(second);
}
