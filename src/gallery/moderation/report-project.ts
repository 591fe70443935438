// Reports a project to moderators. Other users learn neither that it was reported nor by whom.

import sql from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import { count, first } from '../../database/query.ts';
import { reportTable } from '../../database/schema.ts';
import type { WriteContext } from '../changes/write.ts';
import { authorize } from '../permissions.ts';
import type { ProjectAddress } from '../projects/visibility.ts';
import { lockReadableProject } from '../projects/writing/changeable.ts';
import { requireSignedIn } from '../viewer.ts';
import { type Report, reportLimits } from './report.ts';

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
