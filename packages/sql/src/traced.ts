// A database whose statements and transactions are parts of a request's trace. Parameters are not in the trace.

import { currentLifetime } from '../../common/src/request-lifetime.ts';
import type { Query } from './columns.ts';
import type { Database, Reader } from './database.ts';

export function traceDatabase(database: Database): Database {
  const measure = <Result>(work: () => Promise<Result>, name: string, text?: string) => {
    const trace = currentLifetime()?.trace;
    const attributes = {
      'db.system.name': database.system,
      ...(text !== undefined && { 'db.query.text': text }),
    };
    return trace ? trace.measure('db', work, { name, attributes }) : work();
  };
  const measureQuery = <Result>({ statement }: Query<object>, work: () => Promise<Result>) =>
    currentLifetime()?.trace?.isRecording
      ? measure(work, nameQuery(statement.sql), statement.sql)
      : measure(work, 'select');
  const traceReader = (reader: Reader): Reader => ({
    all: (query) => measureQuery(query, () => reader.all(query)),
    first: (query) => measureQuery(query, () => reader.first(query)),
  });
  const traced: Partial<Database> = {
    ...traceReader(database),
    slowReader: traceReader(database.slowReader),
    snapshot: (work) => measure(() => database.snapshot(work), 'snapshot'),
    transaction: (work, options) => measure(() => database.transaction(work, options), 'transaction'),
  };
  return new Proxy(database, {
    get(target, name: keyof Database) {
      const member = traced[name] ?? target[name];
      return typeof member === 'function' && !(name in traced) ? member.bind(target) : member;
    },
  });
}

/** The table that a query reads first, outside of parentheses. */
function nameQuery(text: string): string {
  let depth = 0;
  for (const [token, table] of text.matchAll(/[()]|\bfrom ([a-z_]+)/g)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0) return `select ${table}`;
  }
  return 'select';
}
