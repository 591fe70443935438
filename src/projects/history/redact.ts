// Removes an earlier version of a project from its history for good: a text that should never have been published.

import sql, { join, raw } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, NotFound } from '#common/errors.ts';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { all, type Database, execute, integer, pick, qualify, type Transaction } from '#sql';
import { transact } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { type Instant, now } from '../../core/instant.ts';
import { addJobs, doJobs } from '../../core/jobs/jobs.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { withdrawFiles } from '../hooks.ts';
import { copiedFileTables, loadProjectMedia } from '../media/media-rows.ts';
import { mediaTable } from '../tables.ts';
import { isErasedSql } from '../visibility/visible-to.ts';
import { recordForeignChange } from '../writing/change-project.ts';
import { lockChangeableProject } from '../writing/changeable.ts';
import { deleteFiles } from '../writing/files.ts';
import { forgetVersionInCopies } from '../writing/forget-in-copies.ts';
import { forgetResponses } from '../writing/forget-responses.ts';
import { lockProjects } from '../writing/store.ts';
import { nextVersionSql } from '../writing/version.ts';
import { hasSameContent, loadEntries, redactedRecord, type VersionContent } from './history.ts';

const batchSize = 20;

const isPresentVersion = apiText('presentVersion');

/**
 * A placeholder stays in the history. Entries after the version that repeat its content, such as one for a new rating,
 * are part of it.
 */
export async function redactVersion(database: Database, write: WriteContext, id: number, sequence: number) {
  const { transaction, changeSet, viewer } = write;
  const project = await lockChangeableProject(write, id);
  authorize(viewer, 'changeProject', project.contributor);
  await transaction.waitForChanges();
  const [version] = await loadEntries(transaction, project.id, sql`sequence = ${sequence}`, 1);
  if (!version) throw new NotFound();
  if (!version.content) return;
  const sequences = await findRepetitions(transaction, project.id, sequence, version.content);
  await execute(transaction)`update change set record = ${redactedRecord}
    where sequence in (${join(sequences)})`;
  await forgetResponses(transaction, project);
  const copies = await forgetVersionInCopies(write, project, version.content);
  for (const { id, contributor } of [project, ...copies]) {
    await recordForeignChange(write, 'redacted', { id, contributor }, '');
    changeSet.add({ action: 'redacted', kind: 'project', subject: id, owner: contributor });
  }
  transaction.onCommit(() => database.emptyLogSoon());
}

/** The version's entry and those after it with the same content. */
async function findRepetitions(
  transaction: Transaction,
  project: number,
  sequence: number,
  content: VersionContent,
): Promise<number[]> {
  const sequences = [sequence];
  for (let last = sequence; ; ) {
    const entries = await loadEntries(transaction, project, sql`sequence > ${last}`, batchSize, 'asc');
    for (const entry of entries) {
      if (entry.content && !hasSameContent(entry.content, content)) return sequences;
      if (entry.content) sequences.push(entry.sequence);
      last = entry.sequence;
    }
    if (entries.length < batchSize) throw new Conflict(isPresentVersion);
  }
}

// Deletes files from copies after they were deleted from the project that they were uploaded to. Nobody sees them meanwhile:
// see `isAvailableSql`. A project may have very many copies, so this is not done in the request.

const copiesAtATime = 200;
const copyColumn = { project: integer(sql`distinct media.project`) };
const fileColumns = qualify('media', pick(mediaTable.columns, 'project', 'number'));

/** Not in the trash and not removed by a moderator: from there, a project can come back with its files. */
const isGone = sql`not exists (
    select 1 from media_size as original join media_size as copied on copied.hash = original.hash
    where original.project = media.origin and copied.project = media.project and copied.number = media.number
  ) and not exists (
    select 1 from project as source join project as copy on copy.contributor = source.contributor
    where source.id = media.origin and copy.id = media.project
  )`;

export const deleteWithdrawnFiles = (database: Database) =>
  doJobs(database, 'withdrawn_files', ({ name }) => deleteSome(database, Number(name)), { maxJobs: 1000 });

/** From the copies that have files of a project, some at a time. */
async function deleteSome(database: Database, origin: number): Promise<Instant | 'done'> {
  const copies = await all(database, copyColumn)`from media
    where media.origin = ${origin} and ${isGone} limit ${copiesAtATime}`;
  await database.transaction((transaction) => withdrawFiles(transaction, origin));
  for (const { project } of copies) {
    await deleteFromCopy(database, project);
    await nextEventLoopTurn();
  }
  return copies.length < copiesAtATime ? 'done' : now();
}

/** Copies that came with an import. */
export const expectWithdrawnFiles = (transaction: Transaction): Promise<void> =>
  addJobs(
    transaction,
    'withdrawn_files',
    join(
      copiedFileTables().map(
        ({ name }) => sql`select cast(origin as text) as name from ${raw(name)} where origin is not null`,
      ),
      ' union ',
    ),
  );

function deleteFromCopy(database: Database, copy: number): Promise<void> {
  return transact(database, null, async (write) => {
    const { transaction, changeSet } = write;
    const [row] = await lockProjects(transaction, sql`id = ${copy} and not ${isErasedSql}`);
    if (!row) return;
    const gone = await all(transaction, fileColumns)`from media
      where media.project = ${copy} and media.origin is not null and ${isGone}`;
    if (gone.length === 0) return;
    const numbers = gone.map(({ number }) => number);
    const files = await loadProjectMedia(transaction, copy);
    await deleteFiles(write, row.contributor, files, numbers);
    await execute(transaction)`update project set removed_files = removed_files + ${numbers.length},
        record_modified = ${nextVersionSql(changeSet.at)} where id = ${copy}`;
    changeSet.add({ kind: 'media', action: 'removed', subject: copy });
    transaction.onCommit(() => database.emptyLogSoon());
  });
}
