// Overwrites what deleted texts have left in the database's files. It takes long, so the sweep does it, and only after
// something was deleted for good.

import sql, { join } from 'sql-template-tag';
import { integer, nullable } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { select } from '../database/query.ts';
import type { ActionOf } from './changes/kinds.ts';
import { deleteUnusedWords } from './projects/searching/suggestion-words.ts';

const deletions: readonly ActionOf<'project'>[] = ['erased', 'redacted'];
/** The name of somebody who has left is in the search index and in the sort keys of earlier rows. */
const departure: ActionOf<'contributor'> = 'left';

const lastDeletion = select(
  { sequence: nullable(integer(sql`max(sequence)`)) },
  sql`from change
      where (kind = 'project' and action in (${join(deletions)}) or kind = 'contributor' and action = ${departure})
        and sequence > (select sequence from overwritten)`,
);

export async function overwriteDeleted(database: Database): Promise<void> {
  const last = await database.slowReader.first(lastDeletion);
  if (!last || last.sequence === null) return;
  await deleteUnusedWords(database);
  await database.overwriteDeleted();
  const { sequence } = last;
  await database.transaction((transaction) =>
    transaction.run(sql`update overwritten set sequence = ${sequence} where sequence < ${sequence}`),
  );
}
