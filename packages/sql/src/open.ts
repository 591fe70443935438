// Opens a database of either kind. `openDatabase` migrates the schema before it returns.

import { OperatorError } from '../../common/src/errors.ts';
import { ownMemory } from '../../common/src/shared-memory.ts';
import type { Database, DatabaseDependencies } from './database.ts';
import type { InspectedSettings, Inspection } from './inspection.ts';
import { openPostgres } from './postgres/database.ts';
import { inspectPostgres } from './postgres/inspection.ts';
import { openSqlite } from './sqlite/database.ts';
import { deleteOldCopies } from './sqlite/earlier-copies.ts';
import { inspectSqlite } from './sqlite/inspection.ts';

export { copyLogTable } from './copy-statements.ts';
export { createTables } from './create-tables.ts';
export { type Finding, formatMegabytes, type Inspection, inspectAccess, inspectDisk } from './inspection.ts';
export { copyMarks } from './migrate.ts';
export { createIndex, type Dialect, type FillStep, type Migration, type Schema } from './migration.ts';
export { migrationTable } from './own-tables.ts';
export { damageAdvice, isDamage } from './sqlite/file.ts';
export { traceDatabase } from './traced.ts';

/** Without `invalidationOf`, each change makes all reads stale. Errors and messages go to the console. */
export type OpenOptions = Pick<DatabaseDependencies, 'schema'> & Partial<DatabaseDependencies>;

export async function openDatabase(address: string, options: OpenOptions): Promise<Database> {
  const deps: DatabaseDependencies = {
    rebuilds: {},
    invalidationOf: () => 'everything',
    reportError: console.error,
    notify: console.error,
    memory: ownMemory(),
    ...options,
  };
  if (isOnServer(address)) return openPostgres(address, deps);
  if (deps.replicas?.length) throw new OperatorError('Only a PostgreSQL database has replicas.');
  return openSqlite(address, deps);
}

/** For `vitrine doctor`: looks at a database beside a running server, and changes nothing. */
export const inspectDatabase = async (address: string, settings: InspectedSettings): Promise<Inspection> =>
  isOnServer(address) ? inspectPostgres(address, settings) : inspectSqlite(address, settings);

/** Deletes copies of a file that migrations have kept for long enough. */
export function deleteCopiesOfEarlierSchemas(address: string): void {
  if (!isOnServer(address)) deleteOldCopies(address);
}

/** Whether it is an address of PostgreSQL, and no path of a file. */
export function isOnServer(address: string): boolean {
  if (/^postgres(ql)?:\/\//.test(address)) return true;
  if (/^([a-z][a-z0-9+.-]*:\/\/|postgres(ql)?:|:memory:)/i.test(address)) {
    throw new OperatorError(
      `The database must be a file's path or start with postgres://, not ${address.split(':')[0]}:.`,
    );
  }
  return false;
}
