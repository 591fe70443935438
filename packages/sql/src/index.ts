// What a program needs to declare tables, and to read and write their rows.

export { NotFound, OperatorError, StorageFull, Unavailable } from '../../common/src/errors.ts';
export * from './columns.ts';
export type * from './database.ts';
export { changeHeadTable, changeTable, secretTable } from './own-tables.ts';
export * from './query.ts';
