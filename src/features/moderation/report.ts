// A report tells moderators about a project and says why. It is open until there is a decision.

import sql, { empty, join, type Sql } from 'sql-template-tag';
import { type ApiText, apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { choiceField, type Fields, textField, type Values } from '#rest/fields.ts';
import {
  all,
  count,
  countUpTo,
  type Database,
  execute,
  first,
  integer,
  one,
  pick,
  type Reader,
  type RowOf,
} from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { namesOfContributor } from '../../core/contributors/contributor.ts';
import { type Decision, notifyOfDecision } from '../../core/decisions/decision.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import type { ProjectAddress } from '../../projects/visibility/visible-to.ts';
import { lockReadableProject } from '../../projects/writing/changeable.ts';
import { reportTable } from './tables.ts';

export const reportReasons = ['unkind', 'unsafe', 'spam', 'copied', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

const reasonLabels: Readonly<Record<ReportReason, ApiText>> = {
  unkind: apiText('reason.unkind'),
  unsafe: apiText('reason.unsafe'),
  spam: apiText('reason.spam'),
  copied: apiText('reason.copied'),
  other: apiText('reason.other'),
};

export const reportLimits = {
  words: 1000,
  /** How many open reports one viewer may have. */
  open: 50,
} as const;

const reportColumns = { ...reportTable.columns, reason: reportTable.columns.reason.narrow<ReportReason>() };
/** The contributor is the reporter, whom only moderators see; the decision is null while the report is open. */
export type Report = RowOf<typeof reportColumns>;

export const reportFields = {
  reason: choiceField(apiText('reason'), reasonLabels, { required: true }),
  words: textField({
    label: apiText('reportWords'),
    help: apiText('reportWordsHelp'),
    maxLength: reportLimits.words,
    allowsBlank: true,
  }),
} satisfies Fields;

/** Throws unless the words say what is meant by "something else". */
export function validateReport(values: Values<typeof reportFields>): Pick<Report, 'reason' | 'words'> {
  const { reason } = values;
  const words = values.words?.trim() ?? '';
  if (reason === 'other' && words === '') throw new Invalid({ words: [apiText('reportWordsMissing')] });
  return { reason, words };
}

// Reports a project to moderators. Other users learn neither that it was reported nor by whom.

/** A viewer has one open report for each project: a second report changes the first. */
export async function reportProject(
  write: WriteContext,
  address: ProjectAddress,
  read: () => Pick<Report, 'reason' | 'words'>,
): Promise<Report> {
  const { transaction, changeSet, viewer } = write;
  // The lock on the project's row protects its reports too.
  const { id: project, contributor: author } = await lockReadableProject(write, address);
  authorize(viewer, 'report', author);
  const contributor = requireSignedIn(viewer);
  const content = read();
  const isOwnOpen = sql`contributor = ${contributor} and decision is null`;
  const existing = await first(transaction, reportTable.columns)`from report
    where project = ${project} and ${isOwnOpen} order by id limit 1`;
  if (!existing && (await count(transaction, sql`from report where ${isOwnOpen}`)) >= reportLimits.open)
    throw new Invalid({ non_field_errors: [tooManyOpen] });
  const id = existing?.id ?? (await transaction.nextId(reportTable));
  const created = existing?.created ?? changeSet.at;
  const report = { id, project, contributor, ...content, created, modified: changeSet.at, decision: null };
  await transaction.upsert(reportTable, [report]);
  changeSet.add({ kind: 'report', action: existing ? 'changed' : 'created', subject: id });
  return report;
}

const tooManyOpen = apiText('maxReports', { max: reportLimits.open });

// Queries for reports: the number of open ones, their list, and the queue with one entry for each project.

export const reportStates = ['open', 'closed'] as const;

/** Nobody sees who reported their own project or decides on it, not even a moderator. */
const isAboutOthers = ({ contributor }: Viewer) =>
  sql`(select contributor from project where project.id = report.project) <> ${contributor}`;

/** Counts up to a limit. */
export const countOpenReports = (reader: Reader, viewer: Viewer, limit: number): Promise<number> =>
  countUpTo(limit, reader, sql`from report where decision is null and ${isAboutOthers(viewer)}`);

/** With the names of the contributor who reported. */
const columns = { ...reportColumns, ...namesOfContributor('report.contributor') };
export type ReportDetails = RowOf<typeof columns>;

interface ReportFilter {
  readonly state?: (typeof reportStates)[number];
  readonly project?: number;
}

/** Newest first. */
export function listReports(database: Database, viewer: Viewer, { state, project }: ReportFilter) {
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

export const findReport = (reader: Reader, viewer: Viewer, id: number): Promise<ReportDetails> =>
  one(reader, columns)`from report where id = ${id} and ${isAboutOthers(viewer)}`;

/** The viewer's own report, if nobody has decided on it yet. */
export function findOwnOpenReport(reader: Reader, viewer: Viewer, project: number) {
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

interface QueueFilter {
  readonly reason?: ReportReason | undefined;
  /** The id of somebody who reports. */
  readonly reporter?: number | undefined;
}

const isOpenOf = (viewer: Viewer) => sql`decision is null and ${isAboutOthers(viewer)}`;

/** For each reason that somebody gave, the number of projects. */
export const countReasons = ({ slowReader }: Database, viewer: Viewer) =>
  all(slowReader, {
    ...pick(reportColumns, 'reason'),
    count: integer(sql`count(distinct project)`),
  })`from report
    where ${isOpenOf(viewer)} group by reason`;

/**
 * Projects that may not be safe for children first, then those with the most reports, then those that have waited longest.
 * With a filter, projects that have such a report, with all their reports.
 */
export class ReportQueue {
  readonly #reader: Reader;
  readonly #isOpen: Sql;

  constructor({ slowReader }: Database, viewer: Viewer, { reason, reporter }: QueueFilter = {}) {
    this.#reader = slowReader;
    const wanted = [
      ...(reason ? [sql`reason = ${reason}`] : []),
      ...(reporter === undefined ? [] : [sql`contributor = ${reporter}`]),
    ].map(
      (condition) => sql`project in (select project from report where decision is null and ${condition})`,
    );
    this.#isOpen = join([isOpenOf(viewer), ...wanted], ' and ');
  }

  count(): Promise<number> {
    return count(
      this.#reader,
      sql`from (select distinct project from report where ${this.#isOpen}) as reported`,
    );
  }

  async page(offset: number, size: number): Promise<ReportedProject[]> {
    const rows = await all(this.#reader, reportedColumns)`from report where ${this.#isOpen}
      group by project order by max(case when reason = 'unsafe' then 1 else 0 end) desc, count(*) desc,
      min(created), project limit ${size} offset ${offset}`;
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

/** The projects of the open reports of one person, with the one that was last changed. */
export const listReportedBy = (reader: Reader, viewer: Viewer, reporter: number) =>
  all(reader, pick(reportColumns, 'project', 'modified'))`from report
    where ${isOpenOf(viewer)} and contributor = ${reporter} order by project`;

export interface ClosedReports {
  /** Those that were changed later stay open. */
  readonly upTo?: number | undefined;
  /** Those of others stay open. */
  readonly reporter?: number | undefined;
}

/** Closes the project's open reports with the decision, and notifies the people who reported it. */
export async function closeReports(
  { transaction, changeSet }: Write,
  { id, project }: Pick<Decision, 'id' | 'project'>,
  { upTo = Number.MAX_SAFE_INTEGER, reporter }: ClosedReports = {},
): Promise<void> {
  await execute(transaction)`update report set decision = ${id}
    where project = ${project} and decision is null and modified <= ${upTo}
    ${reporter === undefined ? empty : sql`and contributor = ${reporter}`}`;
  const closed = await all(transaction, pick(reportColumns, 'contributor'))`from report
    where decision = ${id}`;
  for (const { contributor } of closed) notifyOfDecision(changeSet, id, contributor);
}
