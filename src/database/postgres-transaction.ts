// Reads and writes on PostgreSQL, on a connection or within an open transaction. Rows are sent as JSON in one
// parameter, so that one statement serves any number of rows.

import type { SQL } from 'bun';
import sql, { raw, type Sql } from 'sql-template-tag';
import { StorageFull, Unavailable } from '../errors.ts';
import type { Reader, RestoreIndexes, Transaction } from './open.ts';
import { formatVector } from './postgres-search.ts';
import {
  accountTable,
  apiKeyTable,
  changeTable,
  contributorTable,
  decisionTable,
  maxSequentialId,
  mediaSizeTable,
  mediaTable,
  projectTable,
  ratingTable,
  reportTable,
  type Table,
  tagTable,
  type Value,
} from './schema.ts';
import type { SearchAudit, SearchWords } from './search.ts';

/**
 * The client returns 64-bit integers as text; all of ours fit a number. The names listed here are no columns of a
 * bulk table.
 */
const integerColumns = new Set(['number', 'last', 'count', 'first', 'second', 'until', 'undone_by']);
for (const { columns } of [
  contributorTable,
  projectTable,
  tagTable,
  changeTable,
  ratingTable,
  accountTable,
  apiKeyTable,
  mediaTable,
  mediaSizeTable,
  decisionTable,
  reportTable,
]) {
  for (const [name, kind] of Object.entries(columns)) if (kind === 'integer') integerColumns.add(name);
}

type Client = Pick<SQL, 'unsafe'>;

class PostgresReader implements Reader {
  constructor(private readonly client: Client) {}

  async all<Row>(query: Sql): Promise<Row[]> {
    const rows = await this.execute(query.text, query.values as Value[]);
    for (const row of rows) {
      for (const name in row)
        if (integerColumns.has(name) && row[name] !== null) row[name] = Number(row[name]);
    }
    return rows as Row[];
  }

  async first<Row>(query: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(query))[0];
  }

  protected async execute(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
    try {
      return await this.client.unsafe(text, values as unknown[]);
    } catch (error) {
      throw translateError(error);
    }
  }
}

export class PostgresTransaction extends PostgresReader implements Transaction {
  readonly forUpdate = raw('for update');
  readonly forShare = raw('for share');

  async run(query: Sql): Promise<void> {
    await this.execute(query.text, query.values);
  }

  async nextId({ name }: Table): Promise<number> {
    const row = await this.first<{ last: number }>(
      sql`select nextval(pg_get_serial_sequence(${name}, 'id')) as last`,
    );
    return (row as { last: number }).last;
  }

  async skipUsedIds({ name }: Table): Promise<void> {
    await this.run(
      sql`select setval(pg_get_serial_sequence(${name}, 'id'),
            greatest((select coalesce(max(id), 0) from ${raw(name)} where id < ${maxSequentialId}) + 1,
                     nextval(pg_get_serial_sequence(${name}, 'id'))), false)`,
    );
  }

  async insert(table: Table, rows: Value[][]): Promise<void> {
    const names = Object.keys(table.columns).join(', ');
    await this.execute(`insert into ${table.name} (${names}) select ${names} from ${recordset(table)}`, [
      toJsonRows(table, rows),
    ]);
  }

  async upsert(table: Table, rows: Value[][]): Promise<void> {
    const names = Object.keys(table.columns);
    const others = names.filter((name) => !table.key.includes(name));
    await this.execute(
      `insert into ${table.name} (${names.join(', ')}) select ${names.join(', ')} from ${recordset(table)}
       on conflict (${table.key.join(', ')}) do update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      [toJsonRows(table, rows)],
    );
  }

  async appendChanges(rows: Value[][]): Promise<void> {
    const names = Object.keys(changeTable.columns).join(', ');
    await this.execute(
      `with head as (update change_head set last = last + $2 returning last - $2 as before)
       insert into change (${names})
       select ${names.replace('sequence', 'before + sequence')} from ${recordset(changeTable)}, head`,
      [
        toJsonRows(
          changeTable,
          rows.map(([, ...row], index) => [index + 1, ...row]),
        ),
        rows.length,
      ],
    );
  }

  async upsertSearchWords(rows: [project: number, words: SearchWords][]): Promise<void> {
    await this.execute(
      `insert into project_search (project, words) select project, words::tsvector ${searchRows}
       on conflict (project) do update set words = excluded.words`,
      [toJsonSearchRows(rows)],
    );
  }

  async deleteSearchWords(projects: number[]): Promise<void> {
    await this.execute(
      'delete from project_search where project in (select json_array_elements_text($1::text::json)::bigint)',
      [JSON.stringify(projects)],
    );
  }

  async dropIndexes(table: Table): Promise<RestoreIndexes> {
    const indexes = await this.all<{ name: string; definition: string }>(sql`
      select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ${table.name}::regclass and not i.indisprimary`);
    for (const { name } of indexes) await this.run(raw(`drop index ${name}`));
    return async () => {
      for (const { definition } of indexes) await this.run(raw(definition));
      await this.run(raw(`analyze ${table.name}`));
    };
  }
}

/** The rows in the JSON of the first parameter. */
function recordset({ columns }: Table): string {
  const types = Object.entries(columns).map(
    ([name, kind]) => `${name} ${kind === 'integer' ? 'bigint' : 'text'}`,
  );
  return `json_to_recordset($1::text::json) as given (${types.join(', ')})`;
}

function toJsonRows({ columns }: Table, rows: Value[][]): string {
  const names = Object.keys(columns);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]]))),
  );
}

/** The rows of the search index in the JSON of the first parameter; `words` is still text. */
const searchRows = 'from json_to_recordset($1::text::json) as given (project bigint, words text)';
const toJsonSearchRows = (rows: readonly [project: number, words: SearchWords][]) =>
  JSON.stringify(rows.map(([project, words]) => ({ project, words: formatVector(words) })));

export class PostgresSearchAudit extends PostgresReader implements SearchAudit {
  async findMismatches(rows: readonly [project: number, words: SearchWords][]): Promise<number[]> {
    const mismatches = await this.execute(
      `select given.project ${searchRows} left join project_search as kept on kept.project = given.project
       where kept.words is distinct from given.words::tsvector order by 1`,
      [toJsonSearchRows(rows)],
    );
    return mismatches.map(({ project }) => Number(project));
  }

  async findOrphans(): Promise<number[]> {
    const rows = await this.all<{ project: number }>(
      sql`select project from project_search where project not in (
            select id from project where status <> 4 or trashed is not null) order by 1`,
    );
    return rows.map(({ project }) => project);
  }
}

export class TransactionConflict extends Unavailable {}

/**
 * A server that is unreachable, starting, stopping, overloaded or full is reported as unavailable; any other error is
 * a bug.
 */
export function translateError(error: unknown): unknown {
  const { code = '', errno = '' } = error as { code?: string; errno?: string };
  if (/^(40001|40P01)/.test(String(errno))) return new TransactionConflict({ cause: error });
  if (String(errno) === '53100') return new StorageFull({ cause: error });
  const isUnavailable =
    /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME)|^ECONN|^ETIMEDOUT|^FailedToOpenSocket/.test(code) ||
    /^(08|53|55P03|57|58|25006)/.test(String(errno));
  return isUnavailable ? new Unavailable({ cause: error }) : error;
}
