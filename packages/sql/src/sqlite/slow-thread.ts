// The thread behind slow-reads.ts: runs one statement at a time.

import { errorCode, errorMessage, Unavailable } from '../../../common/src/errors.ts';
import { serveJobs } from '../../../common/src/worker-thread.ts';
import { openReader, SqliteReader, translateErrors } from './connection.ts';

export interface SlowQuery {
  readonly path: string;
  readonly sql: string;
  readonly values: readonly unknown[];
}

export type QueryOutcome =
  | { readonly rows: unknown[] }
  | { readonly unavailable: string; readonly code?: string };

let reader: SqliteReader | undefined;

serveJobs<SlowQuery, QueryOutcome>(({ path, sql, values }) => {
  try {
    reader ??= new SqliteReader(openReader(path));
    const statement = reader.prepare(sql);
    return { rows: translateErrors(() => statement.all(...values)) };
  } catch (error) {
    if (error instanceof Unavailable)
      return { unavailable: errorMessage(error.cause), code: errorCode(error.cause) };
    throw error;
  }
});
