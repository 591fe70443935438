// Reads of reports: how many are open, the list of them, and the queue, in which each thing stands once.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, Reads } from '../../database/open.ts';
import { NotFound } from '../../errors.ts';
import type { Contributor } from '../contributors/contributor.ts';
import type { Instant } from '../instant.ts';
import { Rows } from '../rows.ts';
import type { Viewer } from '../viewer.ts';
import type { Report } from './report.ts';

export const reportStates = ['open', 'closed'] as const;

/** Nobody is told who reported what is their own, nor decides on it: not even moderators. */
const ofOthers = ({ contributor }: Viewer) =>
  sql`(select contributor from project where project.id = report.project) <> ${contributor}`;

export async function openReports(reads: Reads, viewer: Viewer): Promise<number> {
  const row = await reads.first<{ count: number }>(
    sql`select count(*) as count from report where decision is null and ${ofOthers(viewer)}`,
  );
  return row?.count ?? 0;
}

/** With what its reporter is called. */
export type Told = Report & Pick<Contributor, 'username' | 'first_name' | 'last_name'>;

const ofReporter = (column: string) =>
  `(select ${column} from contributor where contributor.id = report.contributor) as ${column}`;
const columns = raw(`id, project, contributor, reason, words, created, modified, decision,
  ${['username', 'first_name', 'last_name'].map(ofReporter).join()}`);

interface Wanted {
  readonly state?: (typeof reportStates)[number];
  readonly project?: number;
}

/** The newest first. */
export function reportList(database: Database, viewer: Viewer, { state, project }: Wanted): Rows<Told> {
  const conditions = [ofOthers(viewer)];
  if (state) conditions.push(state === 'open' ? sql`decision is null` : sql`decision is not null`);
  if (project !== undefined) conditions.push(sql`project = ${project}`);
  const order = [{ column: 'id', descending: true }];
  return new Rows<Told>(database, { table: 'report', columns, condition: join(conditions, ' and '), order });
}

export async function findReport(reads: Reads, viewer: Viewer, id: number): Promise<Told> {
  const found = await reads.first<Told>(
    sql`select ${columns} from report where id = ${id} and ${ofOthers(viewer)}`,
  );
  if (!found) throw new NotFound();
  return found;
}

/** What the reader has said of something, and nobody decided on yet. */
export function ownReport(reads: Reads, viewer: Viewer, project: number): Promise<Report | undefined> {
  return reads.first<Report>(
    sql`select * from report where project = ${project} and contributor = ${viewer.contributor}
        and decision is null order by id limit 1`,
  );
}

/** A thing that was reported. */
export interface Case {
  readonly project: number;
  readonly count: number;
  /** When somebody last said something of it. */
  readonly last: Instant;
  /** The first of its reports. */
  readonly reports: readonly Told[];
}

const reportsShown = 20;

/** What was reported most stands first, and of that what has waited longest. */
export class Queue {
  readonly #open: Sql;

  constructor(
    private readonly reads: Reads,
    viewer: Viewer,
  ) {
    this.#open = sql`decision is null and ${ofOthers(viewer)}`;
  }

  async count(): Promise<number> {
    const row = await this.reads.first<{ count: number }>(
      sql`select count(distinct project) as count from report where ${this.#open}`,
    );
    return row?.count ?? 0;
  }

  async page(offset: number, size: number): Promise<Case[]> {
    const cases = await this.reads.all<Omit<Case, 'reports'>>(
      sql`select project, count(*) as count, max(modified) as last from report where ${this.#open}
          group by project order by count(*) desc, min(created), project limit ${size} offset ${offset}`,
    );
    const reports = await this.#of(cases.map(({ project }) => project));
    return cases.map((one) => ({
      ...one,
      reports: reports.filter(({ project }) => project === one.project),
    }));
  }

  async #of(projects: readonly number[]): Promise<Told[]> {
    if (projects.length === 0) return [];
    const numbered = sql`select ${columns}, row_number() over (partition by project order by id) as place
        from report where decision is null and project in (${join([...projects])})`;
    return this.reads.all<Told>(
      sql`select * from (${numbered}) as numbered where place <= ${reportsShown} order by id`,
    );
  }
}
