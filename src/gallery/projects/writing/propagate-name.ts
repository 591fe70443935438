// A contributor's name is stored with each of their projects: as sort key and in the search index.

import sql, { type Sql } from 'sql-template-tag';
import type { Transaction } from '../../../database/database.ts';
import type { Instant } from '../../instant.ts';
import { rebuildSearchEntries } from '../searching/search-words.ts';
import { nextVersionSql } from './version.ts';

/** For the projects of the contributor that `isAffected` selects. Call it after the contributor's row has the new name. */
export async function propagateName(
  transaction: Transaction,
  contributor: number,
  isAffected: Sql,
  at: Instant,
): Promise<void> {
  await rebuildSearchEntries(transaction, isAffected);
  await transaction.run(
    sql`update project set last_name_key = (select last_name_key from contributor where id = ${contributor}),
          record_modified = ${nextVersionSql(at)} where ${isAffected}`,
  );
}
