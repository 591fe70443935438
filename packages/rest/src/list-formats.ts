// A whole list as one text, for programs and spreadsheets: newline-delimited JSON, and CSV (RFC 4180).

import { z } from 'zod';
import { isJsonObject, toJson } from '../../common/src/json.ts';
import { escapeFormula } from './spreadsheet-text.ts';

/** The path of a member in a record: a member of a nested object has two names. */
export type ListColumn = readonly string[];

interface ListFormat {
  readonly mediaType: string;
  /** The Content-Type of responses. */
  readonly contentType: string;
  readonly description: string;
  formatHeader(columns: readonly ListColumn[]): string;
  formatRecord(record: Readonly<Record<string, unknown>>, columns: readonly ListColumn[]): string;
}

/** Spreadsheets read UTF-8 only if a file begins with this mark. */
const byteOrderMark = '\ufeff';

export const listFormats = {
  csv: {
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8',
    description: 'The whole list, with a header row.',
    formatHeader: (columns) => `${byteOrderMark}${columns.map((column) => column.join('.')).join(',')}\r\n`,
    formatRecord: (record, columns) =>
      `${columns.map((column) => formatCell(findValue(record, column))).join(',')}\r\n`,
  },
  ndjson: {
    mediaType: 'application/x-ndjson',
    contentType: 'application/x-ndjson',
    description: 'The whole list, one record in each line.',
    formatHeader: () => '',
    formatRecord: (record) => `${toJson(record)}\n`,
  },
} satisfies Record<string, ListFormat>;

export type ListFormatName = keyof typeof listFormats;

export const isListFormat = (format: string | undefined): format is ListFormatName =>
  format !== undefined && Object.hasOwn(listFormats, format);

const findValue = (record: Readonly<Record<string, unknown>>, column: ListColumn) =>
  column.reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), record);

/** Lists are JSON texts. A missing value and an empty text are both empty. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? escapeFormula(value) : toJson(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The columns of records with this schema, or of their members with these names. */
export const findListColumns = ({ shape }: z.ZodObject, names = Object.keys(shape)): ListColumn[] =>
  names.flatMap((name): ListColumn[] => {
    const member = shape[name];
    const nested = member instanceof z.ZodOptional ? member.unwrap() : member;
    return nested instanceof z.ZodObject ? Object.keys(nested.shape).map((inner) => [name, inner]) : [[name]];
  });
