import sql from 'sql-template-tag';
import { type Database, openDatabase } from '../database/open.ts';
import { rebuildSearchEntries } from './projects/search-words.ts';

/** Opens the gallery's database; migrations use the given function to rebuild the search index. */
export function openGallery(address: string): Promise<Database> {
  return openDatabase(address, { search: (transaction) => rebuildSearchEntries(transaction, sql`1 = 1`) });
}
