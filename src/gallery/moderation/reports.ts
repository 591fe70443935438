// Queries for reports: the number of open ones, their list, and the queue with one entry for each project.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database, Reader } from '../../database/open.ts';
import { NotFound } from '../../errors.ts';
import type { ContributorNames } from '../contributors/contributor.ts';
import type { Instant } from '../instant.ts';
import { TableListing } from '../table-listing.ts';
import type { Viewer } from '../viewer.ts';
import type { Report } from './report.ts';

export const reportStates = ['open', 'closed'] as const;

/** Nobody sees who reported their own project or decides on it, not even a moderator. */
const isAboutOthers = ({ contributor }: Viewer) =>
  sql`(select contributor from project where project.id = report.project) <> ${contributor}`;

export async function countOpenReports(reader: Reader, viewer: Viewer): Promise<number> {
  const row = await reader.first<{ count: number }>(
    sql`select count(*) as count from report where decision is null and ${isAboutOthers(viewer)}`,
  );
  return row?.count ?? 0;
}

/** With the names of the contributor who reported. */
export type ReportDetails = Report & ContributorNames;

const reporterColumn = (column: string) =>
  `(select ${column} from contributor where contributor.id = report.contributor) as ${column}`;
const columns = raw(`id, project, contributor, reason, words, created, modified, decision,
  ${['username', 'first_name', 'last_name'].map(reporterColumn).join()}`);

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
  return new TableListing<ReportDetails>(database, {
    table: 'report',
    columns,
    condition: join(conditions, ' and '),
    order,
  });
}

export async function findReport(reader: Reader, viewer: Viewer, id: number): Promise<ReportDetails> {
  const details = await reader.first<ReportDetails>(
    sql`select ${columns} from report where id = ${id} and ${isAboutOthers(viewer)}`,
  );
  if (!details) throw new NotFound();
  return details;
}

/** The viewer's own report, if nobody has decided on it yet. */
export function findOwnOpenReport(
  reader: Reader,
  viewer: Viewer,
  project: number,
): Promise<Report | undefined> {
  return reader.first<Report>(
    sql`select * from report where project = ${project} and contributor = ${viewer.contributor}
        and decision is null order by id limit 1`,
  );
}

export interface ReportedProject {
  readonly project: number;
  readonly count: number;
  /** When a report was last added or changed. */
  readonly last: Instant;
  /** The oldest of its reports. */
  readonly reports: readonly ReportDetails[];
}

const maxReportsPerProject = 20;

/** Projects with the most reports first, then those that have waited longest. */
export class ReportQueue {
  readonly #isOpen: Sql;

  constructor(
    private readonly reader: Reader,
    viewer: Viewer,
  ) {
    this.#isOpen = sql`decision is null and ${isAboutOthers(viewer)}`;
  }

  async count(): Promise<number> {
    const row = await this.reader.first<{ count: number }>(
      sql`select count(distinct project) as count from report where ${this.#isOpen}`,
    );
    return row?.count ?? 0;
  }

  async page(offset: number, size: number): Promise<ReportedProject[]> {
    const rows = await this.reader.all<Omit<ReportedProject, 'reports'>>(
      sql`select project, count(*) as count, max(modified) as last from report where ${this.#isOpen}
          group by project order by count(*) desc, min(created), project limit ${size} offset ${offset}`,
    );
    const reports = await this.#loadReports(rows.map(({ project }) => project));
    return rows.map((reported) => ({
      ...reported,
      reports: reports.filter(({ project }) => project === reported.project),
    }));
  }

  async #loadReports(projects: readonly number[]): Promise<ReportDetails[]> {
    if (projects.length === 0) return [];
    const numbered = sql`select ${columns}, row_number() over (partition by project order by id) as place
        from report where decision is null and project in (${join([...projects])})`;
    return this.reader.all<ReportDetails>(
      sql`select * from (${numbered}) as numbered where place <= ${maxReportsPerProject} order by id`,
    );
  }
}
