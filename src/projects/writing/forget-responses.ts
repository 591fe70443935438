import sql, { join } from 'sql-template-tag';
import { execute, type Transaction } from '#sql';
import { listReviewers } from '../../core/reviewers.ts';
import type { ProjectRow } from '../project.ts';

/**
 * Deletes the stored responses to requests with an idempotency key that contain the project: its contributor, moderators and
 * other reviewers got them.
 */
export async function forgetResponses(
  transaction: Transaction,
  { uuid, contributor }: Pick<ProjectRow, 'uuid' | 'contributor'>,
): Promise<void> {
  const recipients = sql`select contributor from account where role <> 'contributor' or contributor = ${contributor}
    ${join(
      listReviewers().map((query) => sql`union all ${query}`),
      ' ',
    )}`;
  await execute(transaction)`delete from idempotency
    where contributor in (${recipients}) and response like ${`%${uuid}%`}`;
}
