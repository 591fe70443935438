// A contributor's name is stored with each of their projects: as sort key and in the search index.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import type { Instant } from '../instant.ts';
import { rebuildSearchEntries } from '../projects/search-words.ts';
import { nextVersionSql } from '../projects/version.ts';
import { sortKey } from '../words.ts';
import type { Contributor } from './contributor.ts';

/** Call it after the contributor's row has the new name. */
export async function propagateName(
  transaction: Transaction,
  contributor: Pick<Contributor, 'id' | 'last_name'>,
  at: Instant,
): Promise<void> {
  await rebuildSearchEntries(transaction, sql`contributor = ${contributor.id}`);
  await transaction.run(
    sql`update project set last_name_key = ${sortKey(contributor.last_name)}, 
          record_modified = ${nextVersionSql(at)} where contributor = ${contributor.id}`,
  );
}
