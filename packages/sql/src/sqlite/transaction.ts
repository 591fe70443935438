// Writes to SQLite, within an open transaction.

import type { Statement } from 'bun:sqlite';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { Unavailable } from '../../../common/src/errors.ts';
import { addHashes } from '../change-hash.ts';
import { changeHead } from '../change-tracker.ts';
import {
  type ColumnsOf,
  integer,
  maxSequentialId,
  nullable,
  type Row,
  type Table,
  text,
  type Value,
} from '../columns.ts';
import type { CountChange, NewChange, RestoreIndexes, Transaction } from '../database.ts';
import { hasFewRows, type Schema } from '../migration.ts';
import { type changeHeadTable, changeTable } from '../own-tables.ts';
import { returning, select } from '../query.ts';
import type { SearchWords } from '../search.ts';
import { TransactionLifetime } from '../transaction-lifetime.ts';
import { jsonMember, SqliteQueries, type SqliteReader, toBindings, translateErrors } from './connection.ts';
import { earlierProjectGap } from './earlier-rows.ts';
import { countPages, insertEntry, toIndexRow, upsertEntry } from './search.ts';

/** The handle of one transaction; the connection and its statements outlive it. */
export class SqliteTransaction extends SqliteQueries implements Transaction {
  readonly jsonMember = jsonMember;
  readonly lifetime = new TransactionLifetime();
  /** Empty because there is only one writer. */
  readonly forUpdate = empty;
  readonly forShare = empty;
  readonly forUpdateSkipLocked = empty;

  /** If the work fails before it wrote anything, the others in its group can go on. */
  hasWritten = false;

  /** How many pages this transaction adds to the search index. */
  indexedPages = 0;

  constructor(
    private readonly writer: SqliteReader,
    private readonly schema: Schema,
  ) {
    super();
  }

  prepare(text: string): Statement {
    this.lifetime.requireOpen();
    return this.writer.prepare(text);
  }

  onCommit(callback: () => unknown): void {
    this.lifetime.onCommit(callback);
  }

  /** A full disk may have ended the transaction: the rest of a write must not run outside it. */
  #beforeWrite(): void {
    this.lifetime.requireOpen();
    if (!this.writer.connection.inTransaction) throw new Unavailable('SQLite has ended the transaction');
    this.hasWritten = true;
  }

  async run({ sql, values }: Sql): Promise<void> {
    this.#beforeWrite();
    translateErrors(() => this.prepare(sql).run(...toBindings(values)));
  }

  async runReturning<Row extends object>(columns: ColumnsOf<Row>, statement: Sql): Promise<Row | undefined> {
    this.#beforeWrite();
    return this.firstNow(returning(columns, statement));
  }

  async nextId({ name, loggedAs }: Table): Promise<number> {
    const last =
      this.firstNow(select(lastId, sql`from ${raw(name)} where id < ${maxSequentialId}`))?.last ?? 0;
    if (!loggedAs) return last + 1;
    const isLogged = sql`kind = ${loggedAs} and subject < ${maxSequentialId}`;
    const logged = this.firstNow(select(lastSubject, sql`from change where ${isLogged}`));
    return Math.max(last, logged?.last ?? 0) + 1;
  }

  async nextIds(table: Table, count: number): Promise<number[]> {
    const first = await this.nextId(table);
    return Array.from({ length: count }, (_, index) => first + index);
  }

  async skipUsedIds(): Promise<void> {}

  async insert<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void> {
    this.#writeEach(textOf(table).insert, table, rows);
  }

  async insertMissing<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void> {
    this.#writeEach(`${textOf(table).insert} on conflict do nothing`, table, rows);
  }

  async upsert<T extends Table>(table: T, rows: readonly Row<T>[]): Promise<void> {
    this.#writeEach(textOf(table).upsert, table, rows);
  }

  /**
   * One row per statement: a statement that may fail after its first row makes the full-text index write its pending
   * entries to disk. An import would write the index in small parts and merge them many times.
   */
  #writeEach<T extends Table>(text: string, table: T, rows: readonly Row<T>[]): void {
    this.#beforeWrite();
    const statement = this.prepare(text);
    const { names } = textOf(table);
    translateErrors(() => {
      for (const row of rows) statement.run(...names.map((name) => row[name] as Value));
    });
  }

  async appendChanges(changes: readonly NewChange[], counts: readonly CountChange[] = []): Promise<void> {
    this.#addToCounts(counts);
    if (changes.length === 0) return;
    const { last, hash } = await this.lockChangeLog();
    const rows = addHashes(
      changes.map((change, index) => ({ ...change, sequence: last + 1 + index })),
      hash,
    );
    await this.insert(changeTable, rows);
    this.#notify(changes, last + 1);
    // Selected by rowid: an update of any other form makes the full-text index flush its pending entries.
    translateErrors(() =>
      this.prepare('update change_head set last = ?, hash = ? where rowid = 1').run(
        last + rows.length,
        rows.at(-1)?.hash ?? hash,
      ),
    );
  }

  #notify(changes: readonly NewChange[], firstSequence: number): void {
    const { notifications } = this.schema;
    if (!notifications || !changes.some(({ recipients }) => recipients?.length)) return;
    const statement = this.prepare(insertNotification(notifications));
    for (const [index, { recipients = [], subject, at }] of changes.entries())
      for (const { contributor, kind, actor } of recipients)
        translateErrors(() => statement.run(contributor, firstSequence + index, kind, subject, actor, at));
  }

  #addToCounts(counts: readonly CountChange[]): void {
    if (counts.length > 0) this.#beforeWrite();
    for (const { table, row, difference, limit } of counts) {
      const values = [...table.key.map((column) => row[column] ?? null), difference];
      const { addition } = textOf(table);
      translateErrors(() => this.prepare(addition).run(...values));
      if (!limit || difference < 0) continue;
      const isKey = join(
        table.key.map((column) => sql`${raw(column)} = ${row[column]}`),
        ' and ',
      );
      const stored = this.firstNow(select(countColumn, sql`from ${raw(table.name)} where ${isKey}`));
      if (stored && stored.count > limit.max) throw limit.createError();
    }
  }

  /** There is only one writer. */
  async lockChangeLog(): Promise<Row<typeof changeHeadTable>> {
    return this.firstNow(changeHead) ?? { last: 0, hash: '' };
  }

  async waitForChanges(): Promise<void> {}

  async insertSearchWords(rows: readonly [project: number, words: SearchWords][]): Promise<void> {
    this.#writeSearchWords(insertEntry, rows);
  }

  async upsertSearchWords(rows: readonly [project: number, words: SearchWords][]): Promise<void> {
    this.#writeSearchWords(upsertEntry, rows);
  }

  #writeSearchWords(text: string, rows: readonly [project: number, words: SearchWords][]): void {
    this.#beforeWrite();
    const statement = this.prepare(text);
    translateErrors(() => {
      for (const [project, words] of rows) {
        const row = toIndexRow(words);
        statement.run(project, ...row);
        this.indexedPages += countPages(row);
      }
    });
  }

  async deleteSearchWords(projects: number[]): Promise<void> {
    this.#beforeWrite();
    const statement = this.prepare('delete from project_search where rowid = ?');
    translateErrors(() => {
      for (const project of projects) statement.run(project);
    });
    this.indexedPages += projects.length;
  }

  async dropIndexes(table: Pick<Table, 'name' | 'mostRows' | 'earlier'>): Promise<RestoreIndexes> {
    const objects = this.allNow(
      select(
        { type: text(), name: text(), definition: text(sql`sql`) },
        sql`from sqlite_schema where tbl_name = ${table.name}
          and (type = 'index' and sql is not null or type = 'trigger' and name like 'earlier_project%')`,
      ),
    ).filter(({ definition }) => !hasFewRows(definition, table));
    for (const { type, name } of objects) await this.run(raw(`drop ${type} ${name}`));
    const statements = objects.map(({ definition }) => definition);
    if (table.earlier) statements.push(earlierProjectGap);
    return async () => {
      for (const statement of statements) await this.run(raw(statement));
    };
  }

  /** SQLite's plans use no statistics here. */
  async updateStatistics(): Promise<void> {}
}

const insertNotification = ({ table, isWanted }: NonNullable<Schema['notifications']>) =>
  `insert into ${table.name} (${Object.keys(table.columns).join(', ')}) select ?1, ?2, ?3, ?4, ?5, ?6, 0
  where ${isWanted('?1', '?3')} on conflict do nothing`;

const countColumn = { count: integer() };
const lastSubject = { last: nullable(integer(sql`max(subject)`)) };
const lastId = { last: nullable(integer(sql`max(id)`)) };

/** The parts of the statements that write a row to a table. */
interface TableText {
  readonly names: readonly string[];
  readonly insert: string;
  readonly upsert: string;
  /** Adds to the count of a row. */
  readonly addition: string;
}

const tableTexts = new WeakMap<Table, TableText>();

/** Computed once for each table. */
function textOf(table: Table): TableText {
  let known = tableTexts.get(table);
  if (!known) {
    const { name, key, columns } = table;
    const names = Object.keys(columns);
    const insert = buildInsert(name, names);
    const addition = `${buildInsert(name, [...key, 'count'])}
      on conflict (${key.join(', ')}) do update set count = ${name}.count + excluded.count`;
    known = { names, insert, upsert: insert + buildConflict(table, names), addition };
    tableTexts.set(table, known);
  }
  return known;
}

const buildInsert = (table: string, names: readonly string[]): string =>
  `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;

function buildConflict({ key }: Table, names: readonly string[]): string {
  const others = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
  return ` on conflict (${key.join(', ')}) do update set ${others.join(', ')}`;
}
