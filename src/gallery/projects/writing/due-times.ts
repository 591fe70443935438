// When classes are due, and what is kept of that moment: thinning spares its versions, and files that change later are
// noted first. See ../../hand-ins/.

import sql, { type Sql } from 'sql-template-tag';
import { pick } from '../../../database/columns.ts';
import type { Reader } from '../../../database/database.ts';
import { all, execute } from '../../../database/query.ts';
import { collectionDueTable, collectionItemTable, handInFileTable } from '../../../database/schema.ts';
import type { Write } from '../../changes/transact.ts';
import type { Instant } from '../../instant.ts';
import { loadProjectMedia } from '../../media/rows.ts';
import type { ProjectRow } from '../project.ts';

/** A time that has not come yet is forgotten when it is moved. */
export async function saveDueTime(
  { transaction, changeSet }: Write,
  before: Pick<ProjectRow, 'due'> | undefined,
  { id, due }: Pick<ProjectRow, 'id' | 'due'>,
): Promise<void> {
  if ((before?.due ?? null) === due) return;
  await execute(transaction)`delete from collection_due where collection = ${id} and due > ${changeSet.at}`;
  if (due !== null)
    await transaction.insertMissing(collectionDueTable, [{ collection: id, due, created: changeSet.at }]);
}

const dueColumns = pick(collectionDueTable.columns, 'collection', 'due');

const isInClass = (project: number): Sql => sql`collection in (
  select collection from collection_item where project = ${project} and state = 'included')`;

/** Up to when changes count for the classes that the project is in: what came late counts as it came. */
export async function loadHandInTimes(reader: Reader, project: number, at: Instant): Promise<Instant[]> {
  const times = await all(reader, { due: dueColumns.due, added: collectionItemTable.columns.added })`
    from collection_due join collection_item as item on item.collection = collection_due.collection
    where due < ${at} and item.project = ${project} and item.state = 'included'`;
  return times.map(({ due, added }) => Math.max(due, added));
}

/** Before the files of a project change. */
export async function keepHandedInFiles({ transaction, changeSet }: Write, project: number): Promise<void> {
  const isKept = sql`exists (select 1 from hand_in_file where project = ${project}
    and hand_in_file.collection = collection_due.collection and hand_in_file.due = collection_due.due)`;
  const times = await all(transaction, dueColumns)`from collection_due
    where due < ${changeSet.at} and ${isInClass(project)} and not ${isKept}`;
  if (times.length === 0) return;
  const files = (await loadProjectMedia(transaction, project)).flatMap(({ number, type, name, alt, sizes }) =>
    sizes.slice(-1).map(({ hash, bytes }) => ({ number, media_type: type, name, alt, hash, bytes })),
  );
  const none = [{ number: 0, media_type: '', name: '', alt: '', hash: null, bytes: 0 }];
  await transaction.insert(
    handInFileTable,
    times.flatMap((time) => (files.length > 0 ? files : none).map((file) => ({ ...time, project, ...file }))),
  );
}
