// How a reader reports something. Others are told neither that it was reported nor by whom.

import sql from 'sql-template-tag';
import { reportTable } from '../../database/schema.ts';
import { Invalid } from '../../errors.ts';
import { nextId } from '../changes/next-id.ts';
import { authorize } from '../permissions.ts';
import { seen, signedIn, type WriteContext } from '../projects/change.ts';
import { limits, type Report } from './report.ts';

/** One open report for each reader and thing: a second changes the first. */
export async function report(
  write: WriteContext,
  project: number,
  read: () => Pick<Report, 'reason' | 'words'>,
): Promise<Report> {
  const { transaction, changeSet, viewer } = write;
  // Its row is ours from here on, and so are its reports.
  const { contributor: author } = await seen(write, project);
  authorize(viewer, 'report', author);
  const contributor = signedIn(viewer);
  const said = read();
  const open = sql`contributor = ${contributor} and decision is null`;
  const before = await transaction.first<Report>(
    sql`select id, created from report where project = ${project} and ${open} order by id limit 1`,
  );
  if (!before) {
    const row = await transaction.first<{ count: number }>(
      sql`select count(*) as count from report where ${open}`,
    );
    if (row && row.count >= limits.open) throw new Invalid({ non_field_errors: [tooMany] });
  }
  const id = before?.id ?? (await nextId(transaction, reportTable, 'report'));
  const { reason, words } = said;
  const created = before?.created ?? changeSet.at;
  const row = [id, project, contributor, reason, words, created, changeSet.at, null];
  await transaction.put(reportTable, [row]);
  changeSet.add({ kind: 'report', action: before ? 'changed' : 'created', subject: id });
  return { id, project, contributor, reason, words, created, modified: changeSet.at, decision: null };
}

const tooMany = `You have ${limits.open} reports that nobody has decided on yet: wait until some of them are.`;
