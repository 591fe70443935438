// The thread behind sqlite-slow-reads.ts: receives the file's path once, then one statement at a time.

import { Sql } from 'sql-template-tag';
import { Unavailable } from '../errors.ts';
import { openReader, SqliteReader } from './sqlite-connection.ts';

export type QueryOutcome = { rows: unknown[] } | { unavailable: string } | { fault: string };
type ThreadMessage = { path: string } | { strings: string[]; values: unknown[] };

declare const self: Worker;

let path = '';
let reader: SqliteReader | undefined;

self.onmessage = async ({ data }: MessageEvent<ThreadMessage>) => {
  if ('path' in data) path = data.path;
  else self.postMessage(await runQuery(new Sql(data.strings, data.values)));
};

async function runQuery(query: Sql): Promise<QueryOutcome> {
  try {
    reader ??= new SqliteReader(openReader(path));
    return { rows: await reader.all(query) };
  } catch (error) {
    if (error instanceof Unavailable) return { unavailable: String(error.cause) };
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
