// When classes are due, and what is kept of that moment: thinning spares its versions, and files that change later are
// noted first.

import sql, { raw, type Sql } from 'sql-template-tag';
import { all, type Database, execute, first, integer, nullable, pick, type Transaction } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import { deleteReferences } from '../../core/files/references.ts';
import { type Instant, now } from '../../core/instant.ts';
import { addJobs } from '../../core/jobs/jobs.ts';
import { isPubliclyReadable } from '../../core/project-status.ts';
import { redactedRecord } from '../../projects/history/history.ts';
import { loadProjectMedia } from '../../projects/media/media-rows.ts';
import { type ProjectRow, projectColumns } from '../../projects/project.ts';
import { isFromMakerSql } from '../classes/class-people.ts';
import { collectionPersonTable } from '../collections/tables.ts';
import { collectionDueTable, handInFileTable } from './tables.ts';

/** A time that has not come yet is forgotten when it is moved. */
export async function saveDueTime(
  { transaction, changeSet }: Write,
  before: ProjectRow | undefined,
  { id, due }: ProjectRow,
): Promise<void> {
  if ((before?.due ?? null) === due) return;
  await execute(transaction)`delete from collection_due where collection = ${id} and due > ${changeSet.at}`;
  if (due !== null)
    await transaction.insertMissing(collectionDueTable, [{ collection: id, due, created: changeSet.at }]);
}

/** Members hear of a time that is still to come. */
export async function notifyMembers(
  { transaction, changeSet }: Write,
  before: ProjectRow | undefined,
  { id, due }: ProjectRow,
): Promise<void> {
  if (due === null || due <= changeSet.at || before?.due === due) return;
  const members = await all(transaction, pick(collectionPersonTable.columns, 'contributor'))`
    from collection_person where collection = ${id} and role = 'member'`;
  for (const { contributor } of members)
    changeSet.notify('project', id, { contributor, kind: 'due', actor: null });
}

/** Of a notification in a query: it was set then, and has not been moved since. */
export const isPresentTime = sql`exists (select 1 from collection_due as time
  join project as class on class.id = time.collection and class.due = time.due
  where time.collection = notification.subject and time.created = notification.created)`;

const dueColumns = pick(collectionDueTable.columns, 'collection', 'due');

/**
 * The version of an item that counts at a due time: the newest one up to then that the class could see, or else the first.
 * Null if it saw none: it sees the work as it was when it came, and what was written since. Late work counts as it was when it
 * came. Nobody knows any more who could see a redacted version.
 */
export function handedInVersion({ jsonMember }: Database | Transaction, due: Sql | Instant): Sql {
  // Of the version of that moment, also if it is gone.
  const arrived = sql`coalesce((select max(at) from change where kind = 'project' and subject = item.project
    and (record <> '' or action = 'changed') and at <= item.added), item.added)`;
  const isVersion = sql`kind = 'project' and record <> '' and subject = item.project and at >= ${arrived}`;
  const visibility = raw(jsonMember('record', 'visibility'));
  const wasShown = sql`(record = ${redactedRecord} or (${raw(jsonMember('record', 'status'))} in ('1', '2')
    and (${visibility} in ('public', 'unlisted') or (${visibility} = 'class' and exists (
      select 1 from project as work where work.id = item.project and ${isFromMakerSql('item', 'work')})))))`;
  return sql`coalesce(
    (select max(sequence) from change where ${isVersion} and ${wasShown}
      and at <= case when item.added > ${due} then item.added else ${due} end),
    (select min(sequence) from change where ${isVersion} and ${wasShown}))`;
}

/** The versions that the classes of a project have of it. */
export async function findHandedIn(database: Database | Transaction, project: number): Promise<Set<number>> {
  const version = nullable(integer(handedInVersion(database, sql`collection_due.due`)));
  const versions = await all(database, { version })`from collection_due
    join collection_item as item on item.collection = collection_due.collection
    where due < ${now()} and item.project = ${project} and item.state = 'included'`;
  return new Set(versions.flatMap((found) => found.version ?? []));
}

type Seen = Pick<ProjectRow, 'visibility' | 'status'>;

/** Of an item in a query, and its project: whether the class sees the work. */
function isSeenSql({ visibility, status }: Seen): Sql {
  if (visibility === 'private' || !isPubliclyReadable(status)) return raw('1 = 0');
  return visibility === 'class' ? isFromMakerSql('item', 'work') : raw('1 = 1');
}

const isItem = (project: number, condition: Sql): Sql => sql`collection in (
  select item.collection from collection_item as item join project as work on work.id = item.project
  where item.project = ${project} and item.state = 'included' and ${condition})`;

/** The files are those of the last moment at which a class saw the work, also for times that are still to come. */
export async function noteShownFiles(write: Write, before: ProjectRow, after: ProjectRow): Promise<void> {
  if (before.visibility === after.visibility && before.status === after.status) return;
  const { transaction, changeSet } = write;
  const [wasSeen, isSeen] = [isSeenSql(before), isSeenSql(after)];
  await noteFiles(write, after.id, isItem(after.id, sql`${wasSeen} and not (${isSeen})`));
  await deleteReferences(
    transaction,
    'hand_in_file',
    sql`project = ${after.id} and due >= ${changeSet.at} and ${isItem(after.id, sql`${isSeen} and not (${wasSeen})`)}`,
  );
}

/** Before the files of a project change: classes that see it, and had it before, have those of now. */
export async function keepHandedInFiles(write: Write, project: number): Promise<void> {
  const { transaction, changeSet } = write;
  const row = await first(transaction, pick(projectColumns, 'visibility', 'status'))`from project
    where id = ${project}`;
  if (!row) return;
  const isSeen = sql`${isSeenSql(row)} and item.added < ${changeSet.at}`;
  await noteFiles(write, project, sql`due < ${changeSet.at} and ${isItem(project, isSeen)}`);
}

/** For the due times of classes, unless they are noted. */
async function noteFiles({ transaction }: Write, project: number, condition: Sql): Promise<void> {
  const isNoted = sql`exists (select 1 from hand_in_file where project = ${project}
    and hand_in_file.collection = collection_due.collection and hand_in_file.due = collection_due.due)`;
  const times = await all(transaction, dueColumns)`from collection_due where ${condition} and not ${isNoted}`;
  if (times.length === 0) return;
  const files = (await loadProjectMedia(transaction, project)).flatMap(
    ({ number, type, name, alt, origin, sizes }) =>
      sizes
        .slice(-1)
        .map(({ hash, bytes }) => ({ number, media_type: type, name, alt, hash, bytes, origin })),
  );
  const none = [{ number: 0, media_type: '', name: '', alt: '', hash: null, bytes: 0, origin: null }];
  await transaction.insert(
    handInFileTable,
    times.flatMap((time) => (files.length > 0 ? files : none).map((file) => ({ ...time, project, ...file }))),
  );
}

/** A class has it as it is now. */
export const forgetFiles = (transaction: Transaction, collection: number, project: number): Promise<void> =>
  deleteReferences(transaction, 'hand_in_file', sql`collection = ${collection} and project = ${project}`);

/** That there was a file stays. */
export async function withdrawFiles(transaction: Transaction, origin: number): Promise<void> {
  const rows = sql`origin = ${origin} and hash is not null and not exists (
      select 1 from media_size as original
      where original.project = hand_in_file.origin and original.hash = hand_in_file.hash
    ) and not exists (
      select 1 from project as source join project as copy on copy.contributor = source.contributor
      where source.id = hand_in_file.origin and copy.id = hand_in_file.project
    )`;
  await addJobs(
    transaction,
    'unused_file',
    sql`select distinct hash as name from hand_in_file where ${rows}`,
  );
  await execute(
    transaction,
  )`update hand_in_file set hash = null, name = '', alt = '', bytes = 0 where ${rows}`;
}

/** What shows whether a hand-in is exact. */
export const isOfItem = sql`action = 'changed' and subject in (select project from collection_item)`;
