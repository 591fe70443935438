// A connection to the SQLite file, used by the server's thread and by the thread for slow reads.

import { Database as Connection, type DatabaseOptions, SQLiteError, type Statement } from 'bun:sqlite';
import { StorageFull, Unavailable } from '../../../common/src/errors.ts';
import { timeLimits } from '../../../common/src/time-limits.ts';
import type { JsonMember, Query, Value } from '../columns.ts';
import type { Reader } from '../database.ts';

/** KiB of pages: enough for frequent reads, as the operating system caches the rest. */
export const cacheSize = 16_384;

/**
 * `synchronous` is FULL, because NORMAL loses acknowledged writes in a power cut. `secure_delete` overwrites deleted rows
 * with zeros.
 */
export const pragmas = () => `
  pragma busy_timeout = ${timeLimits.lock};
  pragma synchronous = full;
  pragma secure_delete = on;
  pragma foreign_keys = on;
  pragma trusted_schema = off;
  pragma cell_size_check = on;
  pragma cache_size = -${cacheSize};
  pragma temp_store = memory;
  pragma journal_size_limit = 67108864;
`;

/** SQL templates hold only values of these types. */
export const toBindings = (values: readonly unknown[]) => values as Value[];

export const jsonMember: JsonMember = (column, name) =>
  `case when ${column} like '{%' then cast(${column} ->> '$.${name}' as text) end`;

export abstract class SqliteQueries implements Reader {
  abstract prepare(text: string): Statement;

  /** The driver returns rows of the types that the query's columns have. */
  allNow<Row extends object>({ statement: { sql, values } }: Query<Row>): Row[] {
    return translateErrors(() => this.prepare(sql).all(...toBindings(values)) as Row[]);
  }

  firstNow<Row extends object>({ statement: { sql, values } }: Query<Row>): Row | undefined {
    return translateErrors(() => (this.prepare(sql).get(...toBindings(values)) as Row | null) ?? undefined);
  }

  async all<Row extends object>(query: Query<Row>): Promise<Row[]> {
    return this.allNow(query);
  }

  async first<Row extends object>(query: Query<Row>): Promise<Row | undefined> {
    return this.firstNow(query);
  }
}

/**
 * If SQLite compares a parameter with the condition of a partial index, or looks at one behind `limit`, it plans the
 * statement again whenever the parameter changes, which takes thirty times as long as the query. It does not look at
 * parameters within an expression.
 */
const hideParameters = (text: string) =>
  text.replace(/\b(limit|offset) \?/g, '$1 (select ?)').replace(/(?<!select )\?/g, '+?');

interface PreparedStatement {
  readonly statement: Statement;
  /** Whether it was used since the last search for one to finalize. */
  wasUsed: boolean;
}

const maxStatements = 200;

/** A connection that keeps prepared statements: the oldest that was not used lately goes first. */
export class SqliteReader extends SqliteQueries {
  #statements = new Map<string, PreparedStatement>();

  constructor(readonly connection: Connection) {
    super();
  }

  /** Texts are long, so moving each to the end of the map when it is used would take as long as a small query. */
  prepare(text: string): Statement {
    const known = this.#statements.get(text);
    if (known) {
      known.wasUsed = true;
      return known.statement;
    }
    const statement = translateErrors(() => this.connection.prepare(hideParameters(text)));
    if (this.#statements.size >= maxStatements) this.#finalizeOne();
    this.#statements.set(text, { statement, wasUsed: false });
    return statement;
  }

  #finalizeOne(): void {
    for (const [text, known] of this.#statements) {
      this.#statements.delete(text);
      if (!known.wasUsed) {
        known.statement.finalize();
        return;
      }
      known.wasUsed = false;
      this.#statements.set(text, known);
    }
  }

  close(): void {
    for (const { statement } of this.#statements.values()) statement.finalize();
    this.connection.close();
  }
}

/** While a disk fails, each attempt to open the file would otherwise leave a connection behind. */
export function openConnection(path: string, options: DatabaseOptions): Connection {
  const connection = new Connection(path, options);
  try {
    connection.run(pragmas());
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

export const openReader = (path: string): Connection =>
  translateErrors(() => {
    const reader = openConnection(path, { readonly: true });
    reader.run('pragma query_only = on');
    return reader;
  });

export function translateErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translateError(error);
  }
}

/**
 * A lock, a full disk or a failing disk is reported as temporary; any other error is a bug. SQLite reports a sector that
 * cannot be read as a corrupt file.
 */
export function translateError(error: unknown): unknown {
  const code = error instanceof SQLiteError ? (error.code ?? '') : '';
  if (code.startsWith('SQLITE_FULL')) return new StorageFull(error);
  // A trigger refuses writes to a database that has moved.
  if (/^SQLITE_(CONSTRAINT_TRIGGER|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PROTOCOL)/.test(code))
    return new Unavailable(error);
  return error;
}

export const isBusy = (error: unknown) =>
  error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY');
