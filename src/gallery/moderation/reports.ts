// Queries for reports: the number of open ones, their list, and the queue with one entry for each project.

import sql, { join, type Sql } from 'sql-template-tag';
import { integer, pick, type RowOf } from '../../database/columns.ts';
import type { Database, Reader } from '../../database/database.ts';
import { all, count, countUpTo, first, one } from '../../database/query.ts';
import { reportTable } from '../../database/schema.ts';
import { namesOfContributor } from '../contributors/columns.ts';
import { TableListing } from '../listing/table-listing.ts';
import type { Viewer } from '../viewer.ts';
import type { Report, ReportReason } from './report.ts';

const reportColumns = {
  ...reportTable.columns,
  reason: reportTable.columns.reason.narrow<ReportReason>(),
};

export const reportStates = ['open', 'closed'] as const;

/** Nobody sees who reported their own project or decides on it, not even a moderator. */
const isAboutOthers = ({ contributor }: Viewer) =>
  sql`(select contributor from project where project.id = report.project) <> ${contributor}`;

/** Counts up to a limit. */
export function countOpenReports(reader: Reader, viewer: Viewer, limit: number): Promise<number> {
  return countUpTo(limit, reader, sql`from report where decision is null and ${isAboutOthers(viewer)}`);
}

/** With the names of the contributor who reported. */
const columns = { ...reportColumns, ...namesOfContributor('report.contributor') };
export type ReportDetails = RowOf<typeof columns>;

interface ReportFilter {
  readonly state?: (typeof reportStates)[number];
  readonly project?: number;
}

/** Newest first. */
export function listReports(
  database: Database,
  viewer: Viewer,
  { state, project }: ReportFilter,
): TableListing<ReportDetails> {
  const conditions = [isAboutOthers(viewer)];
  if (state) conditions.push(state === 'open' ? sql`decision is null` : sql`decision is not null`);
  if (project !== undefined) conditions.push(sql`project = ${project}`);
  const order = [{ column: 'id', descending: true }];
  return new TableListing(database, {
    table: 'report',
    columns,
    condition: join(conditions, ' and '),
    order,
  });
}

export function findReport(reader: Reader, viewer: Viewer, id: number): Promise<ReportDetails> {
  return one(reader, columns)`from report where id = ${id} and ${isAboutOthers(viewer)}`;
}

/** The viewer's own report, if nobody has decided on it yet. */
export function findOwnOpenReport(
  reader: Reader,
  viewer: Viewer,
  project: number,
): Promise<Report | undefined> {
  return first(reader, reportColumns)`from report
    where project = ${project} and contributor = ${viewer.contributor}
    and decision is null order by id limit 1`;
}

const reportedColumns = {
  ...pick(reportColumns, 'project'),
  count: integer(sql`count(*)`),
  /** When a report was last added or changed. */
  last: integer(sql`max(modified)`),
};

export interface ReportedProject extends RowOf<typeof reportedColumns> {
  /** The oldest of its reports. */
  readonly reports: readonly ReportDetails[];
}

const maxReportsPerProject = 20;

/** Projects with the most reports first, then those that have waited longest. */
export class ReportQueue {
  readonly #reader: Reader;
  readonly #isOpen: Sql;

  constructor({ slowReader }: Database, viewer: Viewer) {
    this.#reader = slowReader;
    this.#isOpen = sql`decision is null and ${isAboutOthers(viewer)}`;
  }

  count(): Promise<number> {
    return count(
      this.#reader,
      sql`from (select distinct project from report where ${this.#isOpen}) as reported`,
    );
  }

  async page(offset: number, size: number): Promise<ReportedProject[]> {
    const rows = await all(this.#reader, reportedColumns)`from report where ${this.#isOpen}
      group by project order by count(*) desc, min(created), project limit ${size} offset ${offset}`;
    const reports = await this.#loadReports(rows.map(({ project }) => project));
    return rows.map((reported) => ({
      ...reported,
      reports: reports.filter(({ project }) => project === reported.project),
    }));
  }

  async #loadReports(projects: readonly number[]): Promise<ReportDetails[]> {
    if (projects.length === 0) return [];
    const numbered = sql`select *, row_number() over (partition by project order by id) as place
        from report where decision is null and project in (${join([...projects])})`;
    return all(this.#reader, columns)`from (${numbered}) as report
      where place <= ${maxReportsPerProject} order by id`;
  }
}
