import sql, { raw } from 'sql-template-tag';
import { type Database, executeAlone, exists } from '#sql';
import { isDeletion } from '../../core/changes/deletions.ts';
import { findChangeHead } from '../../core/changes/head.ts';
import { deleteUnusedWords } from '../searching/suggestion-words.ts';

/** The name of somebody who has left is in the search index and in the sort keys of earlier rows. */
const deletionUpTo = (last: number) => sql`from change
  where ${raw(isDeletion)} and kind in ('project', 'contributor')
    and sequence > (select sequence from overwritten) and sequence <= ${last}`;

/**
 * Overwrites what deleted texts have left in the database's files. It takes long, so it is a task, and only done after
 * something was deleted for good.
 */
export async function overwriteDeleted(database: Database): Promise<void> {
  // What is not looked at now need not be looked at again.
  const { last: sequence } = await findChangeHead(database.slowReader);
  const isNeeded = await exists(database.slowReader, deletionUpTo(sequence));
  if (isNeeded) {
    await deleteUnusedWords(database);
    await database.overwriteDeleted();
  }
  await executeAlone(database)`update overwritten set sequence = ${sequence} where sequence < ${sequence}`;
}
