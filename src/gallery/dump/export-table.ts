import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ColumnsOf, Table } from '../../database/columns.ts';
import { select } from '../../database/query.ts';
import type { LineExporter } from './kind.ts';

const maxBatchSize = 1000;
/** Characters of the lines of a batch: after longer ones, fewer rows are read at a time. */
const maxBatchLength = 4_000_000;

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
      const key = raw(table.key.join(', '));
      let isNext = sql`1 = 1`;
      for (let batchSize = 50; ; ) {
        const rows = await reader.all(
          select(
            columns,
            sql`from ${raw(table.name)} where ${isNext} and ${condition} order by ${key} limit ${batchSize}`,
          ),
        );
        const last = rows.at(-1);
        if (!last) return;
        const lines = rows.map(format);
        yield lines;
        const length = lines.reduce((sum, line) => sum + line.length, 0);
        batchSize =
          length > maxBatchLength ? Math.ceil(batchSize / 4) : Math.min(maxBatchSize, 2 * batchSize);
        isNext = sql`(${key}) > (${join(table.key.map((column) => last[column as keyof Row]))})`;
      }
    },
  };
}
