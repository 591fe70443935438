// The thread behind sqlite-slow-reads.ts: receives the file's path once, then one statement at a time.

import { Unavailable } from '../errors.ts';
import type { Value } from './columns.ts';
import { openReader, SqliteReader, translateErrors } from './sqlite-connection.ts';

export type QueryOutcome = { rows: unknown[] } | { unavailable: string } | { fault: string };
type ThreadMessage = { path: string } | { sql: string; values: Value[] };

declare const self: Worker;

let path = '';
let reader: SqliteReader | undefined;

self.onmessage = ({ data }: MessageEvent<ThreadMessage>) => {
  if ('path' in data) path = data.path;
  else self.postMessage(runQuery(data.sql, data.values));
};

function runQuery(sql: string, values: Value[]): QueryOutcome {
  try {
    reader ??= new SqliteReader(openReader(path));
    const statement = reader.prepare(sql);
    return { rows: translateErrors(() => statement.all(...values)) };
  } catch (error) {
    if (error instanceof Unavailable) return { unavailable: String(error.cause) };
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
