// Both ends of the change log.

import { changeHead, first, type Reader, type RowOf } from '#sql';
import { changeArchiveTable, type changeHeadTable } from './tables.ts';

/** The number of the last change, and the hash that covers all changes. */
export const findChangeHead = async (reader: Reader): Promise<RowOf<typeof changeHeadTable.columns>> =>
  (await reader.first(changeHead)) ?? { last: 0, hash: '' };

/** The file with the newest changes that were moved out of the log; undefined if none were. */
export const findLastArchive = (reader: Reader) =>
  first(reader, changeArchiveTable.columns)`from change_archive order by last desc limit 1`;
