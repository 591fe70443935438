// Opens a database of either kind. `openDatabase` migrates the schema before it returns.

import { OperatorError } from '../../common/src/errors.ts';
import type { Database, DatabaseDependencies } from './database.ts';
import type { InspectedSettings, Inspection } from './inspection.ts';
import { openPostgres } from './postgres/database.ts';
import { inspectPostgres } from './postgres/inspection.ts';
import { openSqlite } from './sqlite/database.ts';
import { inspectSqlite } from './sqlite/inspection.ts';

export async function openDatabase(address: string, deps: DatabaseDependencies): Promise<Database> {
  if (isOnServer(address)) return openPostgres(address, deps);
  if (deps.replicas?.length) throw new OperatorError('Only a PostgreSQL database has replicas.');
  return openSqlite(address, deps);
}

/** For `vitrine doctor`: looks at a database beside a running server, and changes nothing. */
export const inspectDatabase = async (address: string, settings: InspectedSettings): Promise<Inspection> =>
  isOnServer(address) ? inspectPostgres(address, settings) : inspectSqlite(address, settings);

function isOnServer(address: string): boolean {
  if (/^postgres(ql)?:\/\//.test(address)) return true;
  if (/^([a-z][a-z0-9+.-]*:\/\/|postgres(ql)?:|:memory:)/i.test(address)) {
    throw new OperatorError(
      `The database must be a file's path or start with postgres://, not ${address.split(':')[0]}:.`,
    );
  }
  return false;
}
