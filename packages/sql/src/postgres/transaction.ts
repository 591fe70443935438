// Reads and writes on PostgreSQL, on a connection or within an open transaction. Rows are sent as JSON in one
// parameter, so that one statement serves any number of rows.

import type { SQL } from 'bun';
import sql, { raw, type Sql } from 'sql-template-tag';
import { StorageFull, Unavailable } from '../../../common/src/errors.ts';
import { changeHead } from '../change-tracker.ts';
import {
  type ColumnsOf,
  integer,
  type JsonMember,
  maxSequentialId,
  type Query,
  type Row,
  type Table,
  text,
  type Value,
} from '../columns.ts';
import type { CountChange, NewChange, Reader, RestoreIndexes, Transaction } from '../database.ts';
import { hasFewRows } from '../migration.ts';
import type { changeHeadTable } from '../own-tables.ts';
import { integersOf, returning, select } from '../query.ts';
import { type SearchAudit, type SearchWords, searchTableName } from '../search.ts';
import { TransactionLifetime } from '../transaction-lifetime.ts';
import { buildAppend, findExceeded, lockChangeLog } from './change-queue.ts';
import { pauseEarlierProjects, resumeEarlierProjects } from './earlier-rows.ts';
import { withFixedLimits } from './fixed-limits.ts';
import { type Client, clientOf, type TransactionClient } from './pool.ts';
import { formatVector } from './search.ts';

export const jsonMember: JsonMember = (column, name) =>
  `case when ${column} like '{%' then ${column}::json ->> '${name}' end`;

export class PostgresReader implements Reader {
  constructor(private readonly client: Client) {}

  /** The client returns 64-bit integers as text; all of ours fit a number. */
  async all<Row extends object>(query: Query<Row>): Promise<Row[]> {
    const { text, values } = this.toSent(query.statement);
    const rows = await this.execute(text, values);
    const integers = integersOf(query);
    for (const row of rows) {
      for (const name of integers) if (row[name] !== null) row[name] = Number(row[name]);
    }
    return rows as Row[];
  }

  async first<Row extends object>(query: Query<Row>): Promise<Row | undefined> {
    return (await this.all(query))[0];
  }

  protected toSent(statement: Sql): Pick<Sql, 'text' | 'values'> {
    return withFixedLimits(statement);
  }

  protected async execute(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    try {
      return await this.client.query(text, values);
    } catch (error) {
      throw translateError(error);
    }
  }
}

/** The parts of the change log that a transaction needs. */
export interface ChangeLog {
  /** See `numberChanges`. */
  readonly oldest: string;
  /** Numbers all changes committed so far. */
  number(): Promise<void>;
  numberWithin(client: Client): Promise<(() => boolean) | undefined>;
}

export class PostgresTransaction extends PostgresReader implements Transaction {
  readonly jsonMember = jsonMember;
  readonly forUpdate = raw('for update');
  readonly forShare = raw('for share');
  readonly forUpdateSkipLocked = raw('for update skip locked');
  readonly lifetime = new TransactionLifetime();
  /** Whether the server was asked to commit, and has not said that it rolled everything back. */
  mayBeCommitted = false;
  #failure: unknown;
  /** See `appendChanges`; sent with the commit. */
  appended: { changes: readonly NewChange[]; counts: readonly CountChange[] } = { changes: [], counts: [] };

  constructor(
    readonly connection: TransactionClient,
    /** Undefined in a migration, which writes to the log itself. */
    readonly changeLog?: ChangeLog,
  ) {
    super(connection);
  }

  onCommit(callback: () => unknown): void {
    this.lifetime.onCommit(callback);
  }

  /** Only with a parameter, a statement can be sent together with others. */
  protected override toSent(statement: Sql): Sql {
    return statement;
  }

  protected override async execute(
    text: string,
    values: readonly unknown[],
  ): Promise<Record<string, unknown>[]> {
    this.lifetime.requireOpen();
    try {
      return await super.execute(text, values);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** The cause of all later failures: until the end of the transaction, the server refuses every statement. */
  #fail(error: unknown): unknown {
    this.#failure ??= error;
    return this.#failure;
  }

  async run({ text, values }: Sql): Promise<void> {
    await this.execute(text, values);
  }

  runReturning<Row extends object>(columns: ColumnsOf<Row>, statement: Sql): Promise<Row | undefined> {
    return this.first(returning(columns, statement));
  }

  /** A statement with one parameter: the rows as JSON. */
  protected executeRows(text: string, rows: readonly unknown[]): Promise<Record<string, unknown>[]> {
    return this.execute(text, [JSON.stringify(rows)]);
  }

  async nextId(table: Table): Promise<number> {
    const [id] = await this.nextIds(table, 1);
    return Number(id);
  }

  async nextIds({ name }: Table, count: number): Promise<number[]> {
    const text = `select nextval(pg_get_serial_sequence('${name}', 'id')) as id from json_array_elements($1::text::json)`;
    const rows = await this.executeRows(text, Array(count).fill(null));
    return rows.map(({ id }) => Number(id));
  }

  async skipUsedIds({ name, loggedAs = '' }: Table): Promise<void> {
    const logged = sql`select max(subject) from change where kind = ${loggedAs} and subject < ${maxSequentialId}`;
    await this.run(
      sql`select setval(pg_get_serial_sequence(${name}, 'id'),
            greatest((select max(id) from ${raw(name)} where id < ${maxSequentialId}) + 1, (${logged}) + 1,
                     nextval(pg_get_serial_sequence(${name}, 'id'))), false)`,
    );
  }

  async insert<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void> {
    const names = Object.keys(table.columns);
    if (rows.length < minCopiedRows) await this.executeRows(insertStatement(table), rows);
    else
      await this.#copy(
        table.name,
        names,
        rows.map((row) => names.map((name) => row[name] as Value)),
      );
  }

  /** The server reads this format faster than JSON. */
  async #copy(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void> {
    this.lifetime.requireOpen();
    const lines = rows.map((row) => `${row.map(toCopyText).join('\t')}\n`);
    try {
      await this.connection.copy(`copy ${table} (${columns.join(', ')}) from stdin`, lines.join(''));
    } catch (error) {
      throw this.#fail(translateError(error));
    }
  }

  /** Waits for other transactions that insert the same keys: they do so in the same order. */
  async insertMissing<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void> {
    const inOrder = `${insertStatement(table)} order by ${table.key.join(', ')}`;
    await this.executeRows(`${inOrder} on conflict do nothing`, rows);
  }

  async upsert<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void> {
    const names = Object.keys(table.columns);
    const others = names.filter((name) => !table.key.includes(name));
    const changes = others.map((name) => `${name} = excluded.${name}`).join(', ');
    const onConflict = `on conflict (${table.key.join(', ')}) do update set ${changes}`;
    await this.execute(`${insertStatement(table)} ${onConflict}`, [JSON.stringify(rows)]);
  }

  async appendChanges(changes: readonly NewChange[], counts: readonly CountChange[] = []): Promise<void> {
    this.lifetime.requireOpen();
    this.appended = { changes, counts };
  }

  /**
   * All is sent together: after a statement that fails, the server rolls back instead. Returns whether the change log has read
   * these changes.
   */
  async commit(): Promise<boolean> {
    const { changes, counts } = this.appended;
    const limited = counts.filter(({ limit, difference }) => limit && difference > 0);
    const hasAppended = changes.length + counts.length > 0;
    this.mayBeCommitted = true;
    const [appended, numbered, committed] = await Promise.allSettled([
      hasAppended
        ? super.execute(...buildAppend(changes, counts, limited, this.changeLog?.oldest))
        : undefined,
      hasAppended ? this.changeLog?.numberWithin(this.connection) : undefined,
      this.connection.control('commit'),
    ]);
    if (committed.status === 'rejected') throw committed.reason;
    if (committed.value === 'ROLLBACK') {
      this.mayBeCommitted = false;
      const failed = [appended, numbered].find((outcome) => outcome.status === 'rejected');
      const failure = this.#fail(failed?.reason);
      throw limited[findExceeded(failure)]?.limit?.createError() ?? failure;
    }
    return numbered.status === 'fulfilled' && numbered.value?.() === true;
  }

  async lockChangeLog(): Promise<Row<typeof changeHeadTable>> {
    await this.execute(lockChangeLog, []);
    await this.waitForChanges();
    const head = await this.first(changeHead);
    if (!head) throw new Error('change_head is empty');
    return head;
  }

  async waitForChanges(): Promise<void> {
    await this.changeLog?.number();
  }

  async insertSearchWords(rows: readonly [project: number, words: SearchWords][]): Promise<void> {
    const entries = rows.map(([project, words]) => [project, formatVector(words)] as const);
    await this.#copy(searchTableName, ['project', 'words'], entries);
  }

  async upsertSearchWords(rows: readonly [project: number, words: SearchWords][]): Promise<void> {
    await this.executeRows(
      `insert into project_search (project, words) select project, words::tsvector ${searchRows}
       on conflict (project) do update set words = excluded.words`,
      formatSearchRows(rows),
    );
  }

  async deleteSearchWords(projects: number[]): Promise<void> {
    await this.executeRows(
      'delete from project_search where project in (select json_array_elements_text($1::text::json)::bigint)',
      projects,
    );
  }

  async dropIndexes(table: Pick<Table, 'name' | 'mostRows' | 'earlier'>): Promise<RestoreIndexes> {
    const indexes = await this.all(
      select(
        { name: text(sql`c.relname`), definition: text(sql`pg_get_indexdef(i.indexrelid)`) },
        sql`from pg_index i join pg_class c on c.oid = i.indexrelid
            where i.indrelid = ${table.name}::regclass and not i.indisprimary`,
      ),
    );
    const dropped = indexes.filter(({ definition }) => !hasFewRows(definition, table));
    for (const { name } of dropped) await this.run(raw(`drop index ${name}`));
    const statements = dropped.map(({ definition }) => definition);
    if (table.earlier) {
      await this.run(raw(pauseEarlierProjects));
      statements.push(...resumeEarlierProjects);
    }
    return async () => {
      for (const statement of statements) await this.run(raw(statement));
    };
  }

  async updateStatistics(table: Table): Promise<void> {
    await this.run(raw(`analyze ${table.name}`));
  }
}

/** Fewer rows are faster as JSON. */
const minCopiedRows = 20;

function toCopyText(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  if (!/[\\\n\r\t]/.test(value)) return value;
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return escaped.replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}

export function insertStatement(table: Table): string {
  const names = Object.keys(table.columns).join(', ');
  return `insert into ${table.name} (${names}) select ${names} from ${recordset(table)}`;
}

/** The rows in the JSON of the first parameter; other members of the objects are ignored. */
function recordset({ columns }: Table): string {
  const types = Object.entries(columns).map(
    ([name, { storage }]) => `${name} ${storage === 'integer' ? 'bigint' : 'text'}`,
  );
  return `json_to_recordset($1::text::json) as entry (${types.join(', ')})`;
}

/** The rows of the search index in the JSON of the first parameter; `words` is still text. */
const searchRows = 'from json_to_recordset($1::text::json) as entry (project bigint, words text)';
const formatSearchRows = (rows: readonly [project: number, words: SearchWords][]) =>
  rows.map(([project, words]) => ({ project, words: formatVector(words) }));

export class PostgresSearchAudit extends PostgresReader implements SearchAudit {
  async findMismatches(rows: readonly [project: number, words: SearchWords][]): Promise<number[]> {
    const mismatches = await this.execute(
      `select entry.project ${searchRows} left join project_search as kept on kept.project = entry.project
       where kept.words is distinct from entry.words::tsvector order by 1`,
      [JSON.stringify(formatSearchRows(rows))],
    );
    return mismatches.map(({ project }) => Number(project));
  }

  async findOrphans(hasEntry: Sql): Promise<number[]> {
    const rows = await this.all(
      select(
        { project: integer() },
        sql`from project_search where project not in (select id from project where ${hasEntry}) order by 1`,
      ),
    );
    return rows.map(({ project }) => project);
  }
}

/** Runs one transaction, and does not retry it. Returns also what `commit` does, and what has callbacks. */
export async function runTransaction<Result>(
  connection: SQL,
  work: (transaction: PostgresTransaction) => Promise<Result>,
  changeLog?: ChangeLog,
  begin = 'begin',
) {
  const session = await connection.reserve().catch((error) => {
    throw translateError(error);
  });
  const client = clientOf(session);
  const transaction = new PostgresTransaction(client, changeLog);
  const { lifetime } = transaction;
  try {
    // Sent together with the first statements, which fail as well if it does.
    const begun = client.control(begin);
    begun.catch(() => {});
    const result = await lifetime.run(() => work(transaction));
    await begun;
    return { result, lifetime, isKnown: await transaction.commit() };
  } catch (error) {
    await client.control('rollback').catch(() => {});
    throw translateError(error);
  } finally {
    session.release();
  }
}

export class TransactionConflict extends Unavailable {}

/**
 * A server that is unreachable, starting, stopping, overloaded or full is reported as unavailable; any other error is
 * a bug.
 */
export function translateError(error: unknown): unknown {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  if (/^(40001|40P01)/.test(String(errno))) return new TransactionConflict(error);
  if (String(errno) === '53100') return new StorageFull(error);
  const isUnavailable =
    /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|^ECONN|^ETIMEDOUT|^FailedToOpenSocket/.test(code) ||
    /^(08|53|55P03|57|58|25006)/.test(String(errno));
  return isUnavailable ? new Unavailable(error) : error;
}
