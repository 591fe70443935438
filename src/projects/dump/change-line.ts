import { InvalidValue } from '#common/inputs.ts';
import { isJsonObject, toJson } from '#common/json.ts';
import { maxSequentialId, omit, type RowOf } from '#sql';
import { changeTable } from '../../core/changes/tables.ts';
import {
  count,
  defineLine,
  flag,
  id,
  instant,
  type LineOf,
  type Member,
  optional,
  text,
  wholeNumber,
} from '../../core/dump/line-format.ts';
import { redactedRecord } from '../history/history.ts';
import { projectLine } from './project-line.ts';

/** An earlier or later version of the program may have other kinds and actions. */
const word = text({ maxLength: 40, pattern: [/^[a-z_]+$/, 'lower-case letters'] });

/** A version of a project: its line at that time, or a placeholder. The change log stores it as text. */
const version: Member<string> = {
  read(value) {
    if (value === redactedRecord) return redactedRecord;
    const parsed = isJsonObject(value) ? projectLine.parse(value) : 'must be the line of a project.';
    if (typeof parsed === 'string') throw new InvalidValue(parsed.replace(/\.$/, ''));
    return toJson(value);
  },
  write: (record) => (record === redactedRecord ? record : JSON.parse(record)),
  schema: { anyOf: [{ const: redactedRecord }, { $ref: '#/$defs/project' }] },
};

export const changeLine = defineLine('change', {
  number: wholeNumber(1, maxSequentialId),
  at: instant,
  actor: optional(id),
  action: word,
  kind: word,
  subject: count,
  owner: optional(id),
  listed: flag,
  version: optional(version),
});

export type ChangeLine = LineOf<typeof changeLine>;

/** The hashes follow from the other columns. */
export const changeLineColumns = omit(changeTable.columns, 'hash');
type ChangeRow = RowOf<typeof changeLineColumns>;

/** Of the records, only those of projects are read again, as their history: a dump does not carry the others. */
export function formatChangeLine({ sequence, record, listed, ...change }: ChangeRow): string {
  return changeLine.stringify({
    ...change,
    number: sequence,
    listed: listed === 1,
    version: change.kind === 'project' && record !== '' ? record : null,
  });
}

export function toChangeRow({ number, version, listed, ...change }: ChangeLine): ChangeRow {
  return {
    ...change,
    sequence: number,
    record: (change.kind === 'project' && version) || '',
    listed: listed ? 1 : 0,
  };
}

/** Of a file that was written here. */
export const parseChangeLine = (text: string): ChangeRow =>
  toChangeRow(changeLine.parse(JSON.parse(text)) as ChangeLine);
