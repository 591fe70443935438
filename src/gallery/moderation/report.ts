// A report tells moderators about a project and says why. It is open until there is a decision.

import sql from 'sql-template-tag';
import { type ApiText, apiText } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import { choiceField, type Fields, textField, type Values } from '../../common/fields.ts';
import { count, first } from '../../database/query.ts';
import { reportTable } from '../../database/schema.ts';
import type { WriteContext } from '../changes/write.ts';
import type { Instant } from '../instant.ts';
import { authorize } from '../permissions.ts';
import type { ProjectAddress } from '../projects/visibility.ts';
import { lockReadableProject } from '../projects/writing/changeable.ts';
import { requireSignedIn } from '../viewer.ts';

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

export interface Report {
  readonly id: number;
  readonly project: number;
  /** The reporter: shown to moderators only. */
  readonly contributor: number;
  readonly reason: ReportReason;
  readonly words: string;
  readonly created: Instant;
  readonly modified: Instant;
  /** Null while it is open. */
  readonly decision: number | null;
}

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
