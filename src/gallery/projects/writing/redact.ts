// Removes an earlier version of a project from its history for good: a text that should never have been published.

import sql, { join } from 'sql-template-tag';
import { apiText } from '../../../common/api-text.ts';
import { Conflict, NotFound } from '../../../common/errors.ts';
import type { Transaction } from '../../../database/database.ts';
import type { WriteContext } from '../../changes/write.ts';
import type { ProjectRow } from '../columns.ts';
import { hasSameContent, loadEntries, redactedRecord } from '../reading/history.ts';
import { anyVersion, lockChangeableProject } from './changeable.ts';
import { recordForeignChange } from './project-decision.ts';

const batchSize = 20;

const isPresentVersion = apiText('presentVersion');

/**
 * A placeholder stays in the history. Entries after the version that repeat its content, such as one for a new rating,
 * are part of it.
 */
export async function redactVersion(write: WriteContext, id: number, sequence: number): Promise<void> {
  const { transaction, changeSet } = write;
  const project = await lockChangeableProject(write, id, anyVersion);
  await transaction.waitForChanges();
  const sequences = await findRepetitions(transaction, project.id, sequence);
  if (sequences.length === 0) return;
  await transaction.run(
    sql`update change set record = ${redactedRecord} where sequence in (${join(sequences)})`,
  );
  await forgetResponses(transaction, project);
  await recordForeignChange(write, 'redacted', project, '');
  changeSet.add({ action: 'redacted', kind: 'project', subject: project.id, owner: project.contributor });
}

/** The version's entry and those after it with the same content; none if it was redacted already. */
async function findRepetitions(
  transaction: Transaction,
  project: number,
  sequence: number,
): Promise<number[]> {
  const [version] = await loadEntries(transaction, project, sql`sequence = ${sequence}`, 1);
  if (!version) throw new NotFound();
  if (!version.content) return [];
  const sequences = [sequence];
  for (let last = sequence; ; ) {
    const entries = await loadEntries(transaction, project, sql`sequence > ${last}`, batchSize, 'asc');
    for (const entry of entries) {
      if (entry.content && !hasSameContent(entry.content, version.content)) return sequences;
      if (entry.content) sequences.push(entry.sequence);
      last = entry.sequence;
    }
    if (entries.length < batchSize) throw new Conflict(isPresentVersion);
  }
}

/**
 * Deletes the stored responses to requests with an idempotency key that contain the project: its contributor and
 * moderators got them.
 */
export async function forgetResponses(
  transaction: Transaction,
  { uuid, contributor }: Pick<ProjectRow, 'uuid' | 'contributor'>,
): Promise<void> {
  const recipients = sql`select contributor from account where role <> 'contributor' or contributor = ${contributor}`;
  await transaction.run(
    sql`delete from idempotency where contributor in (${recipients}) and response like ${`%${uuid}%`}`,
  );
}
