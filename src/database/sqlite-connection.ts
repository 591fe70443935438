// A connection to the file, as both the server's thread and the thread for slow reads use it.

import { Database as Connection, SQLiteError, type Statement } from 'bun:sqlite';
import type { Sql } from 'sql-template-tag';
import { StorageFull, Unavailable } from '../errors.ts';
import type { Reader } from './open.ts';
import type { Value } from './schema.ts';

/** KiB of pages: enough for what is read all the time, as the system keeps the rest. */
export const cacheSize = 16_384;

/** FULL, because with NORMAL a power cut loses writes that were acknowledged. */
export const pragmas = `
  pragma busy_timeout = 5000;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma trusted_schema = off;
  pragma cell_size_check = on;
  pragma cache_size = -${cacheSize};
  pragma temp_store = memory;
  pragma journal_size_limit = 67108864;
`;

/** A connection that keeps its prepared statements, the most recently used ones. */
export class SqliteReader implements Reader {
  #statements = new Map<string, Statement>();

  constructor(readonly connection: Connection) {}

  prepare(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement) this.#statements.delete(text);
    else {
      statement = this.connection.prepare(text);
      if (this.#statements.size >= 200) {
        const [oldest, unused] = this.#statements.entries().next().value as [string, Statement];
        this.#statements.delete(oldest);
        unused.finalize();
      }
    }
    this.#statements.set(text, statement);
    return statement;
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    return translateErrors(() => this.prepare(query.sql).all(...(query.values as Value[])) as Row[]);
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return translateErrors(
      () => (this.prepare(query.sql).get(...(query.values as Value[])) as Row | null) ?? undefined,
    );
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.connection.close();
  }
}

export function openReader(path: string): Connection {
  const reader = new Connection(path, { readonly: true });
  reader.run(pragmas);
  reader.run('pragma query_only = on');
  return reader;
}

export function translateErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translateError(error);
  }
}

/** What SQLite refuses for the moment (a lock, a full or failing disk) is told as that; the rest is a fault of ours. */
export function translateError(error: unknown): unknown {
  const code = error instanceof SQLiteError ? (error.code ?? '') : '';
  if (code.startsWith('SQLITE_FULL')) return new StorageFull({ cause: error });
  if (/^SQLITE_(BUSY|LOCKED|IOERR|READONLY|CANTOPEN)/.test(code)) return new Unavailable({ cause: error });
  return error;
}
