// All that a program needs to declare tables, to read and write their rows, and to follow the change log.

export { NotFound, OperatorError, StorageFull, Unavailable } from '../../common/src/errors.ts';
export * from './change-hash.ts';
export { changeHead, entriesAfter, maxEntries } from './change-tracker.ts';
export * from './columns.ts';
export type * from './database.ts';
export type { EarlierProjects } from './earlier-rows.ts';
export { changeHeadTable, changeTable, secretTable } from './own-tables.ts';
export * from './query.ts';
export * from './search.ts';
