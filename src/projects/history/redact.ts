// Removes an earlier version of a project from its history for good: a text that should never have been published.

import sql, { join, raw } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Conflict, NotFound } from '#common/errors.ts';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { all, type Database, execute, integer, pick, qualify, type Transaction } from '#sql';
import { transact, type Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { recordDecision } from '../../core/decisions/decision.ts';
import { type Instant, now } from '../../core/instant.ts';
import { addJobs, doJobs, type Job, saveProgress, setJob } from '../../core/jobs/jobs.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { withdrawFiles } from '../hooks.ts';
import { copiedFileTables, loadProjectMedia } from '../media/media-rows.ts';
import type { ProjectRow } from '../project.ts';
import { mediaTable } from '../tables.ts';
import { isErasedSql } from '../visibility/visible-to.ts';
import { lockChangeableProject } from '../writing/changeable.ts';
import { deleteFiles } from '../writing/files.ts';
import { forgetVersionInCopies, type TakenBack, wordsOf } from '../writing/forget-in-copies.ts';
import { forgetResponses } from '../writing/forget-responses.ts';
import { lockProjects } from '../writing/store.ts';
import { nextVersionSql } from '../writing/version.ts';
import { hasSameContent, loadEntries, redactedRecord, type VersionContent } from './history.ts';

const batchSize = 20;
const redactedAtATime = 20;

const isPresentVersion = apiText('presentVersion');

/**
 * A placeholder stays in the history. Entries after the version that repeat its content, such as one for a new rating,
 * are part of it.
 */
export async function redactVersion(database: Database, write: WriteContext, id: number, sequence: number) {
  const { transaction, viewer } = write;
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
  const { title, text, tags, link } = project;
  const takenBack: TakenBack = {
    ...{ source: project.id, contributor: project.contributor, last: 0 },
    ...{ version: wordsOf(version.content), present: { title, text, tags, link } },
    ...{ actor: requireSignedIn(viewer), isModerator: viewer.isModerator, reason: write.reason ?? '' },
  };
  await recordRedaction(write, takenBack, project);
  const rest = await redactInCopies(write, takenBack);
  if (rest)
    await setJob(transaction, 'redacted_copies', {
      name: String(sequence),
      content: { takenBack: rest } satisfies Pending,
    });
  transaction.onCommit(() => database.emptyLogSoon());
}

async function recordRedaction(
  write: Write,
  { actor, isModerator, reason }: TakenBack,
  { id, contributor }: Pick<ProjectRow, 'id' | 'contributor'>,
): Promise<void> {
  if (isModerator && actor !== contributor)
    await recordDecision(write, { action: 'redacted', moderator: actor, project: id, contributor, reason });
  write.changeSet.add({ action: 'redacted', kind: 'project', subject: id, owner: contributor });
}

/** In the next copies. Returns what is left to do: a work may have very many copies. */
async function redactInCopies(write: Write, takenBack: TakenBack): Promise<TakenBack | undefined> {
  const { copies, changed } = await forgetVersionInCopies(write, takenBack, redactedAtATime);
  for (const copy of changed) await recordRedaction(write, takenBack, copy);
  const last = copies[redactedAtATime - 1]?.id;
  return last === undefined ? undefined : { ...takenBack, last };
}

export const redactOtherCopies = (database: Database) =>
  doJobs(database, 'redacted_copies', (job) => redactSome(database, job), { maxJobs: 1000 });

/** The job has the words until all copies have lost them. */
interface Pending {
  readonly takenBack?: TakenBack | undefined;
}

async function redactSome(database: Database, job: Job): Promise<Instant | 'done'> {
  const { takenBack } = JSON.parse(job.content) as Pending;
  if (!takenBack) return 'done';
  const rest = await transact(database, takenBack.actor, async (write) => {
    await write.transaction.waitForChanges();
    const left = await redactInCopies(write, takenBack);
    await saveProgress(write.transaction, job, { takenBack: left } satisfies Pending);
    write.transaction.onCommit(() => database.emptyLogSoon());
    return left;
  });
  await nextEventLoopTurn();
  return rest ? now() : 'done';
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
