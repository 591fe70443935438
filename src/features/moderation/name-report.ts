// A report tells moderators that a contributor's name is wrong: it is unkind, pretends to be somebody else, or says too
// much about a child. It is open until there is a decision.

import sql, { join } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { type Fields, textField } from '#rest/fields.ts';
import { all, count, countUpTo, type Database, execute, first, pick, type Reader, type RowOf } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { namesOfContributor } from '../../core/contributors/contributor.ts';
import { notifyOfDecision } from '../../core/decisions/decision.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { reportLimits } from './report.ts';
import { nameReportTable } from './tables.ts';

export type NameReport = RowOf<typeof nameReportTable.columns>;

export const nameReportFields = {
  words: textField({
    label: apiText('nameReportWords'),
    help: apiText('nameReportHelp'),
    maxLength: reportLimits.words,
    required: true,
  }),
} satisfies Fields;

/** A viewer has one open report for each contributor: a second report changes the first. */
export async function reportName(
  write: WriteContext,
  contributor: number,
  words: string,
): Promise<NameReport> {
  const { transaction, changeSet, viewer } = write;
  authorize(viewer, 'report', contributor);
  const reporter = requireSignedIn(viewer);
  const isOwnOpen = sql`reporter = ${reporter} and decision is null`;
  const existing = await first(transaction, nameReportTable.columns)`from name_report
    where contributor = ${contributor} and ${isOwnOpen} order by id limit 1`;
  if (!existing && (await count(transaction, sql`from name_report where ${isOwnOpen}`)) >= reportLimits.open)
    throw new Invalid({ non_field_errors: [apiText('maxNameReports')] });
  const report = {
    id: existing?.id ?? (await transaction.nextId(nameReportTable)),
    contributor,
    reporter,
    words,
    created: existing?.created ?? changeSet.at,
    modified: changeSet.at,
    decision: null,
  };
  await transaction.upsert(nameReportTable, [report]);
  changeSet.add({ kind: 'name_report', action: existing ? 'changed' : 'created', subject: report.id });
  return report;
}

/** Nobody sees who reported their own name. */
const isAboutOthers = ({ contributor }: Viewer) => sql`contributor <> ${contributor}`;

/** Counts up to a limit. */
export const countOpenNameReports = (reader: Reader, viewer: Viewer, limit: number): Promise<number> =>
  countUpTo(limit, reader, sql`from name_report where decision is null and ${isAboutOthers(viewer)}`);

/** With the names of the contributor whose name was reported. */
const columns = { ...nameReportTable.columns, ...namesOfContributor('name_report.contributor') };
export type NameReportDetails = RowOf<typeof columns>;

/** Open reports, oldest first. */
export function listOpenNameReports(database: Database, viewer: Viewer): TableListing<NameReportDetails> {
  return new TableListing(database, {
    table: 'name_report',
    columns,
    condition: sql`decision is null and ${isAboutOthers(viewer)}`,
    order: [{ column: 'id', descending: false }],
  });
}

/** Notifies the people who reported. A report that arrives meanwhile stays open. */
export async function closeNameReports(
  { transaction, changeSet }: Write,
  contributor: number,
  decision: number,
): Promise<void> {
  const isOpen = sql`contributor = ${contributor} and decision is null`;
  const closed = await all(transaction, pick(nameReportTable.columns, 'id', 'reporter'))`from name_report
    where ${isOpen} order by id ${transaction.forUpdate}`;
  if (closed.length === 0) return;
  await execute(transaction)`update name_report set decision = ${decision}
    where id in (${join(closed.map(({ id }) => id))})`;
  for (const { reporter } of closed) notifyOfDecision(changeSet, decision, reporter);
}
