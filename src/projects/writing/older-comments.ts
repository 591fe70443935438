// Comments from before they said for whom they were written: what was written on work that was hidden at that time, as far as
// the change log knows, is for its class, or for its maker and those who review it.

import sql, { join } from 'sql-template-tag';
import { all, type Database, integer, nullable, pick, text } from '#sql';
import { transact, type Write } from '../../core/changes/transact.ts';
import { type Instant, now } from '../../core/instant.ts';
import { addJobs, doJobs, type Job, saveProgress } from '../../core/jobs/jobs.ts';
import { isPubliclyReadable } from '../../core/project-status.ts';
import type { ProjectLine } from '../dump/project-line.ts';
import { redactedRecord } from '../history/history.ts';
import { type ProjectRow, projectColumns } from '../project.ts';
import { lockContributorNames, lockProjects, storeProject } from './store.ts';
import { nextVersion } from './version.ts';

const batchSize = 100;

/** After an import. */
export const expectOlderComments = (transaction: Write['transaction']): Promise<void> =>
  addJobs(transaction, 'older_comments', sql`select 'all' as name`);

const columns = {
  ...pick(projectColumns, 'id'),
  /** Of their project, when they were written. */
  record: nullable(
    text(sql`(select record from change where kind = 'project' and subject = project.root and at <= project.created
    and record not in ('', ${redactedRecord}) order by sequence desc limit 1)`),
  ),
  class: nullable(
    integer(sql`(select min(collection) from collection_item as item join project as class on class.id = item.collection
    where item.project = project.root and class.kind = 'class')`),
  ),
};

export const narrowOlderComments = (database: Database) =>
  doJobs(database, 'older_comments', (job) => narrowSome(database, job));

/** Looks at some comments. A comment that has changed meanwhile is looked at again by nobody: its write has decided. */
function narrowSome(database: Database, job: Job): Promise<Instant | 'done'> {
  return transact(database, null, async (write) => {
    const { transaction, changeSet } = write;
    const { last = 0 } = JSON.parse(job.content || '{}') as { readonly last?: number };
    const comments = await all(transaction, columns)`from project
      where id > ${last} and content_type = 'comment' and made_for is null and visibility in ('public', 'unlisted')
        and root is not null order by id limit ${batchSize}`;
    const narrowed = comments.flatMap(({ id, record, class: collection }) => {
      const audience = record ? audienceThen(JSON.parse(record) as ProjectLine, collection) : undefined;
      return audience ? [{ id, ...audience }] : [];
    });
    const ids = narrowed.map(({ id }) => id);
    const rows = ids.length > 0 ? await lockProjects(transaction, sql`id in (${join(ids)})`) : [];
    for (const before of rows) {
      const names = await lockContributorNames(transaction, before.contributor);
      const { made_for = before.root, visibility = 'private' } =
        narrowed.find(({ id }) => id === before.id) ?? {};
      const record_modified = nextVersion(before, changeSet.at);
      await storeProject(
        write,
        'changed',
        before,
        { ...before, made_for, visibility, record_modified },
        names,
      );
    }
    const end = comments.at(-1)?.id;
    if (end === undefined || comments.length < batchSize) return 'done';
    await saveProgress(transaction, job, { last: end });
    return now();
  });
}

/** Undefined for everybody. Without `made_for`, it is the project itself. */
function audienceThen(
  { visibility, status, kind }: ProjectLine,
  collection: number | null,
): Partial<Pick<ProjectRow, 'made_for' | 'visibility'>> | undefined {
  const isOpenThen = (visibility === 'public' || visibility === 'unlisted') && isPubliclyReadable(status);
  if (kind === 'class' && !isOpenThen) return { visibility: 'class' };
  if (visibility === 'class' && isPubliclyReadable(status) && collection !== null)
    return { visibility: 'class', made_for: collection };
  if (visibility === 'private' || visibility === 'class' || !isPubliclyReadable(status))
    return { visibility: 'private' };
  return undefined;
}
