import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ColumnsOf, Table } from '../../database/columns.ts';
import type { Reader } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import type { LineExporter } from './kind.ts';

const batchSize = 1000;

interface TableExportOptions {
  /** Rows that are exported; all by default. */
  readonly condition?: Sql;
  /** For tables whose rows take long to count. */
  readonly count?: Sql;
}

/** Exports the rows of a table in the order of its key. */
export function exportTable<Row extends object>(
  table: Table,
  columns: ColumnsOf<Row>,
  format: (row: Row) => string,
  { condition = sql`1 = 1`, count = sql`select count(*) from ${raw(table.name)}` }: TableExportOptions = {},
): LineExporter {
  return {
    count,
    async *exportLines(reader) {
      for await (const rows of readInBatches(reader, table, columns, condition)) yield rows.map(format);
    },
  };
}

async function* readInBatches<Row extends object>(
  reader: Reader,
  table: Table,
  columns: ColumnsOf<Row>,
  condition: Sql,
): AsyncGenerator<Row[]> {
  const key = raw(table.key.join(', '));
  let isNext = sql`1 = 1`;
  while (true) {
    const rows = await reader.all(
      select(
        columns,
        sql`from ${raw(table.name)} where ${isNext} and ${condition} order by ${key} limit ${batchSize}`,
      ),
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    isNext = sql`(${key}) > (${join(table.key.map((column) => last[column as keyof Row]))})`;
  }
}
