// Both ends of the change log.

import { changeHead } from '#sql/change-tracker.ts';
import type { RowOf } from '#sql/columns.ts';
import type { Reader } from '#sql/database.ts';
import { first } from '#sql/query.ts';
import { changeArchiveTable, type changeHeadTable } from './tables.ts';

/** The number of the last change, and the hash that covers all changes. */
export const findChangeHead = async (reader: Reader): Promise<RowOf<typeof changeHeadTable.columns>> =>
  (await reader.first(changeHead)) ?? { last: 0, hash: '' };

/** The file with the newest changes that were moved out of the log; undefined if none were. */
export const findLastArchive = (reader: Reader) =>
  first(reader, changeArchiveTable.columns)`from change_archive order by last desc limit 1`;
