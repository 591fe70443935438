import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Reader } from '../../database/open.ts';
import type { Table, Value } from '../../database/schema.ts';
import type { LineExporter } from './kind.ts';

const batchSize = 1000;

interface TableExportOptions {
  /** Rows that are exported; all by default. */
  readonly condition?: Sql;
  /** For tables whose rows take long to count. */
  readonly count?: Sql;
}

/** Exports the rows of a table in the order of its key. */
export function exportTable<Row>(
  table: Table,
  format: (row: Row) => string,
  { condition = sql`1 = 1`, count = sql`select count(*) from ${raw(table.name)}` }: TableExportOptions = {},
): LineExporter {
  return {
    count,
    async *exportLines(reader) {
      for await (const rows of readInBatches<Row>(reader, table, condition)) yield rows.map(format);
    },
  };
}

async function* readInBatches<Row>(reader: Reader, table: Table, condition: Sql): AsyncGenerator<Row[]> {
  const key = raw(table.key.join(', '));
  let isNext = sql`1 = 1`;
  while (true) {
    const rows = await reader.all<Row & Record<string, Value>>(
      sql`select * from ${raw(table.name)} where ${isNext} and ${condition} order by ${key} limit ${batchSize}`,
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    isNext = sql`(${key}) > (${join(table.key.map((column) => last[column]))})`;
  }
}
