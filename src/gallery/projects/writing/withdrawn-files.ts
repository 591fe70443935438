// Deletes files from copies after they were deleted from the project that they were uploaded to. Nobody sees them meanwhile:
// see `isAvailableSql`. A project may have very many copies, so this is not done in the request.

import sql from 'sql-template-tag';
import { nextEventLoopTurn } from '../../../common/event-loop.ts';
import { pick, qualify } from '../../../database/columns.ts';
import type { Database } from '../../../database/database.ts';
import { all } from '../../../database/query.ts';
import { mediaTable } from '../../../database/schema.ts';
import { transact } from '../../changes/transact.ts';
import { loadProjectMedia } from '../../media/store.ts';
import { isErasedSql } from '../visibility.ts';
import { deleteFiles } from './files.ts';
import { lockProjects } from './store.ts';
import { nextVersionSql } from './version.ts';

const batchSize = 200;
const fileColumns = qualify('media', pick(mediaTable.columns, 'project', 'number'));

/** Not in the trash and not removed by a moderator: from there, a project can come back with its files. */
const isGone = sql`not exists (
    select 1 from media_size as original join media_size as copied on copied.hash = original.hash
    where original.project = media.origin and copied.project = media.project and copied.number = media.number
  ) and not exists (
    select 1 from project as source join project as copy on copy.contributor = source.contributor
    where source.id = media.origin and copy.id = media.project
  )`;

export async function deleteWithdrawnFiles(database: Database): Promise<void> {
  for (let [project, number] = [0, 0]; ; ) {
    const isNext = sql`media.origin is not null and (media.project, media.number) > (${project}, ${number})`;
    const files = await all(database, fileColumns)`from media
      where ${isNext} order by media.project, media.number limit ${batchSize}`;
    const last = files.at(-1);
    if (!last) return;
    const gone = await all(database, fileColumns)`from media
      where ${isNext} and (media.project, media.number) <= (${last.project}, ${last.number})
      and ${isGone}`;
    for (const id of new Set(gone.map((file) => file.project))) await deleteFromCopy(database, id);
    ({ project, number } = last);
    await nextEventLoopTurn();
  }
}

function deleteFromCopy(database: Database, copy: number): Promise<void> {
  return transact(database, null, async (transaction, changeSet) => {
    const [row] = await lockProjects(transaction, sql`id = ${copy} and not ${isErasedSql}`);
    if (!row) return;
    const gone = await all(transaction, fileColumns)`from media
      where media.project = ${copy} and media.origin is not null and ${isGone}`;
    if (gone.length === 0) return;
    const numbers = gone.map(({ number }) => number);
    const files = await loadProjectMedia(transaction, copy);
    await deleteFiles({ transaction, changeSet }, row.contributor, files, numbers);
    await transaction.run(
      sql`update project set removed_files = removed_files + ${numbers.length},
            record_modified = ${nextVersionSql(changeSet.at)} where id = ${copy}`,
    );
    changeSet.add({ kind: 'media', action: 'removed', subject: copy });
  });
}
