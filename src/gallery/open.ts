import sql from 'sql-template-tag';
import { type Database, openDatabase } from '../database/open.ts';
import { rebuildSearchEntries } from './projects/search-words.ts';

/** Opens the gallery's database, brought up to date with what is made from what people wrote. */
export function openGallery(address: string): Promise<Database> {
  return openDatabase(address, { search: (transaction) => rebuildSearchEntries(transaction, sql`1 = 1`) });
}
