// Publishes the drafts whose time has come: each once, whichever process does it and whenever it was stopped.

import sql from 'sql-template-tag';
import { all, type Database, exists, integer, pick } from '#sql';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import { transact } from '../../core/changes/transact.ts';
import { now } from '../../core/instant.ts';
import { runJob } from '../../core/jobs/jobs.ts';
import { draft, hasStatus, published, waiting } from '../../core/project-status.ts';
import {
  findReviewPolicy,
  type ReviewPolicy,
  reviewOfCopies,
  reviewOfEverything,
} from '../../core/site/review-policy.ts';
import { allHosts, loadSite } from '../../core/site/site-settings.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import type { CreateWork } from '../../projects/background-work.ts';
import { projectColumns } from '../../projects/project.ts';
import { isForFew } from '../../projects/visibility/made-for-a-group.ts';
import { saveVersion } from '../../projects/writing/change-project.ts';
import { isApprovedSql, isTrusted } from '../../projects/writing/opening.ts';
import { lockProjects } from '../../projects/writing/store.ts';

const batchSize = 100;

/** A disabled account publishes nothing. */
const isDue = () => sql`publish_at <= ${now()} and ${hasStatus([draft])}
  and contributor not in (select contributor from account where disabled is not null)`;

export async function publishDueProjects(database: Database): Promise<void> {
  if (!(await exists(database, sql`from project where ${isDue()}`))) return;
  await runJob(database, 'publish', 0, async (confirm) => {
    const review = findReviewPolicy(await loadSite(database, allHosts));
    const due = await all(database, pick(projectColumns, 'id'))`from project
      where ${isDue()} order by publish_at, id limit ${batchSize}`;
    for (const { id } of due) {
      await confirm();
      await publishDueProject(database, id, review);
    }
  });
}

const approval = { approved: integer(sql`case when ${isApprovedSql} then 1 else 0 end`) };

/** It is locked and looked at again: meanwhile its owner may have chosen another time. */
const publishDueProject = (database: Database, id: number, review: ReviewPolicy | undefined) =>
  transact(database, null, async (write) => {
    const { transaction, changeSet } = write;
    const [before] = await lockProjects(transaction, sql`id = ${id} and ${isDue()}`);
    if (!before) return;
    const [{ approved = 0 } = {}] = await all(transaction, approval)`from project where id = ${id}`;
    const isChild = await isLookedAfter(transaction, before.contributor);
    const policy = before.source_maker !== null ? reviewOfCopies : isChild ? reviewOfEverything : review;
    const mayOpen =
      !policy ||
      approved === 1 ||
      isForFew(before) ||
      (await isTrusted(transaction, before.contributor, policy, id));
    await saveVersion({ ...write, viewer: anonymous }, 'changed', before, {
      status: mayOpen ? published : waiting,
      publish_at: null,
      modified: Math.max(changeSet.at, before.modified + 1),
    });
  });

/** How often drafts are looked for whose time has come. */
const intervalMs = 5000;

export const createPublishing: CreateWork = ({ database, logError }) => ({
  start() {
    const publish = () => void publishDueProjects(database).catch(logError);
    publish();
    const timer = setInterval(publish, intervalMs);
    return async () => clearInterval(timer);
  },
});
