// The thread behind sqlite-slow-reads.ts: it is told the file's path once, and then a statement at a time.

import { Sql } from 'sql-template-tag';
import { Unavailable } from '../errors.ts';
import { openReader, Statements } from './sqlite-connection.ts';

export type Outcome = { rows: unknown[] } | { unavailable: string } | { fault: string };
type Message = { path: string } | { strings: string[]; values: unknown[] };

declare const self: Worker;

let path = '';
let reads: Statements | undefined;

self.onmessage = async ({ data }: MessageEvent<Message>) => {
  if ('path' in data) path = data.path;
  else self.postMessage(await perform(new Sql(data.strings, data.values)));
};

async function perform(query: Sql): Promise<Outcome> {
  try {
    reads ??= new Statements(openReader(path));
    return { rows: await reads.all(query) };
  } catch (error) {
    if (error instanceof Unavailable) return { unavailable: String(error.cause) };
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}
