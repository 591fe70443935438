import sql, { raw, type Sql } from 'sql-template-tag';
import type { ColumnsOf, Reader, Table } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import type { LineFormat } from '../../core/dump/line-format.ts';
import type { Size } from '../../core/files/stored-files.ts';
import { readTable } from '../../core/listing/table-listing.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { ImportContext } from './import-context.ts';
import type { Batch, ImportedChange } from './import-log.ts';

/** A kind of dump line: its format, and how its lines are exported and imported. */
export interface LineKind<Line = unknown> {
  readonly format: LineFormat<Line>;
  /** Missing if another kind exports these lines together with its own lines. */
  readonly exporter?: LineExporter;
  /** How many lines are imported together: 500 unless it says otherwise. */
  readonly batchSize?: number;
  /** Checks the lines of a batch and writes them. Of lines with the same key, the last one counts. */
  importBatch(context: ImportContext, batch: Batch<Line>): Promise<void>;
  /** Sentences about unusual values of a line. A check lists them; an import takes the line as it is. */
  findOddities?(line: Line): readonly string[];
  /** Missing if the change log has no entry for these lines. */
  describeChange?(line: Line, text: string): ImportedChange;
  /** The table whose new ids are higher than those of the imported rows. */
  readonly idTable?: Table | undefined;
  /** Called after the last line, in reverse order of the kinds. */
  finishImport?(context: ImportContext): Promise<void>;
  /** The lines that a person gets with their own data. Missing if there are none, or if own-data/export.ts writes them. */
  exportOwn?(reader: Reader, contributor: number, viewer: Viewer): AsyncIterable<string>;
  /** Brings them from a person's own data, after all projects. Without it, they stay where they were. */
  importOwn?(lines: readonly Line[], context: OwnImport): Promise<void>;
}

/** The part of an import of a person's own data that kinds of lines use. */
export interface OwnImport {
  /** The id that a project has here; undefined if it was not brought. */
  idOf(project: number): number | undefined;
  transact(work: (write: WriteContext) => Promise<unknown>): Promise<unknown>;
}

/** Yields the lines with the content of a stored file. */
export type ExportFile = (file: Pick<Size, 'hash' | 'bytes'>) => AsyncIterable<string> | Iterable<string>;

interface LineExporter {
  /** Selects the number of lines: an estimate for the progress display. */
  readonly count: Sql;
  /** Its lines come after those of all other kinds. */
  readonly isLast?: boolean;
  /** Yields lines in batches. */
  exportLines(reader: Reader, exportFile: ExportFile): AsyncIterable<string[]>;
}

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

/** The first line of one person's own data, which is not the dump of a gallery. */
export const ownDataType = 'own-data';
