// Reads a table of projects, as spreadsheets write them: with commas, semicolons or tabs, in UTF-8 or what Windows uses, and
// with the names of columns that people give them.

import { readFileSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse/sync';
import { OperatorError } from '#common/errors.ts';
import { unescapeFormula } from '#rest/spreadsheet-text.ts';

/** Of each column, the names that it can have. */
const columnNames = {
  id: ['id', 'number', 'nummer', 'nr'],
  title: ['title', 'titel', 'título', 'titulo', 'heading'],
  text: ['text', 'description', 'body', 'content', 'beschreibung', 'texto', 'descripción'],
  name: ['name', 'author', 'maker', 'creator', 'by', 'autor', 'autorin', 'nombre'],
  date: ['date', 'created', 'published', 'datum', 'fecha'],
  tags: ['tags', 'keywords', 'categories', 'schlagwörter', 'etiquetas'],
  file: [
    'file',
    'files',
    'photo',
    'image',
    'picture',
    'datei',
    'dateien',
    'foto',
    'bild',
    'archivo',
    'imagen',
  ],
  license: ['license', 'licence', 'lizenz', 'licencia'],
  link: ['link', 'url', 'enlace'],
  type: ['type', 'art', 'tipo'],
} as const;

export type Column = keyof typeof columnNames;
const columns = Object.keys(columnNames) as Column[];

/** A project in the table. A column that the table does not have is empty. */
export type TableRow = Readonly<Record<Column, string>> & {
  /** The line of the file where it begins. */
  readonly line: number;
};

export interface Table {
  readonly rows: readonly TableRow[];
  /** Columns that are not used. */
  readonly otherColumns: readonly string[];
}

export function readTable(path: string): Table {
  const text = decode(readFileSync(path === '-' ? 0 : path));
  let records: string[][];
  try {
    records = parse(text, {
      delimiter: findDelimiter(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      // The number of its last line comes first.
      on_record: (record: string[], { lines }) => [String(lines), ...record],
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new OperatorError(`${path} is no table with commas, semicolons or tabs: ${error.message}.`);
  }
  const [header, ...rest] = records;
  const places = new Map<Column, number>();
  const otherColumns: string[] = [];
  for (const [place, name] of (header ?? []).entries()) {
    const column = columns.find((one) => (columnNames[one] as readonly string[]).includes(normalize(name)));
    if (column && !places.has(column)) places.set(column, place);
    else if (place > 0 && name.trim()) otherColumns.push(name.trim());
  }
  if (!places.has('title'))
    throw new OperatorError(`The first line of ${path} must name the columns; one of them is title.`);
  const rows = rest.map((record) => {
    const line = Number(record[0]) - record.join('').split('\n').length + 1;
    const cell = (column: Column) => toText(record[places.get(column) ?? -1] ?? '');
    return {
      ...(Object.fromEntries(columns.map((column) => [column, cell(column)])) as Record<Column, string>),
      line,
    };
  });
  return { rows: rows.filter((row) => columns.some((column) => row[column] !== '')), otherColumns };
}

const toText = (cell: string) => unescapeFormula(cell.normalize('NFC').trim());

const normalize = (name: string) => name.normalize('NFC').trim().toLowerCase();

/** Spreadsheets on Windows write UTF-16 with a mark, or the letters of Western Europe. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The one that separates most in the first line. */
function findDelimiter(text: string): string {
  const [header = ''] = text.split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).sign;
}
