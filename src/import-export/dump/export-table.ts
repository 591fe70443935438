import sql, { raw, type Sql } from 'sql-template-tag';
import type { ColumnsOf, Table } from '../../database/columns.ts';
import { readTable } from '../../gallery/listing/read-table.ts';
import type { LineExporter } from './kind.ts';

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
      for await (const rows of readTable(reader, table, columns, condition)) yield rows.map(format);
    },
  };
}
