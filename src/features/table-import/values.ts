// Turns a row of a table into the values of a project.

import { extname } from 'node:path';
import { Invalid } from '#common/errors.ts';
import { type PartialValues, readPartially } from '#rest/fields.ts';
import { type Instant, parseInstant } from '../../core/instant.ts';
import { licenseNames } from '../../core/licenses.ts';
import { projectFields } from '../../projects/project-fields.ts';
import { importedTagsField } from '../../projects/tags-field.ts';
import type { TableRow } from './read-table.ts';

export type ProjectValues = PartialValues<typeof projectFields>;

const fields = { ...projectFields, tags: importedTagsField };

const pictureEndings = ['.jpg', '.jpeg', '.png', '.gif', '.webp', '.heic', '.avif'];
const videoEndings = ['.mp4', '.webm', '.mov'];

/** Names of files in a cell. */
export const fileNamesOf = ({ file }: TableRow): string[] =>
  file
    .split(/[|;\n]/)
    .map((name) => name.trim())
    .filter(Boolean);

/** Throws Invalid. */
export function readValues(row: TableRow): { readonly values: ProjectValues; readonly created?: Instant } {
  const { title, text, tags, license, link, date } = row;
  const created = date === '' ? undefined : parseDate(date);
  const values = readPartially(fields, {
    title,
    text,
    tags: tags.replaceAll(/[;|]/g, ','),
    content_type: readType(row),
    ...(license && { license: toLicense(license) }),
    ...(link && { link }),
  });
  return { values, ...(created !== undefined && { created }) };
}

/** People leave the version out, and write spaces. */
function toLicense(text: string): string {
  const name = text.toUpperCase().replace(/[\s_]+/g, '-');
  const found = licenseNames.find((license) =>
    [license, license.replace(/-[\d.]+(-or-later)?$/, '')].some((one) => one.toUpperCase() === name),
  );
  return found ?? text;
}

/** The projects of a collection must exist first. */
function readType(row: TableRow): string {
  if (['collection', 'comment'].includes(row.type))
    throw new Invalid({ type: [`A table cannot have a ${row.type}.`] });
  return row.type || guessType(row);
}

function guessType(row: TableRow): string {
  const [first] = fileNamesOf(row);
  if (first === undefined) return row.link ? 'link' : 'text';
  const ending = extname(first).toLowerCase();
  if (pictureEndings.includes(ending)) return 'photo';
  return videoEndings.includes(ending) ? 'video' : 'document';
}

/** A day has no time of the day: noon in UTC is the same day almost everywhere. */
function parseDate(text: string): Instant {
  const [, year, month = '1', day = '1'] =
    /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(text) ??
    /^()(\d{1,2})\.(\d{1,2})\.(\d{4})$/
      .exec(text)
      ?.map((_, index, parts) => parts[[0, 4, 3, 2][index] ?? 0] ?? '') ??
    [];
  if (year) {
    const date = new Date(Date.UTC(2000, Number(month) - 1, Number(day), 12));
    date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
    if (date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)) return toInstant(date);
  }
  // Which of the numbers is the month, only its writer knows.
  const isKnown = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) || /^(\w{3}, )?\d{1,2} \w{3} \d{4} /.test(text);
  const hasZone = /(Z|[+-]\d\d:?\d\d|[A-Z]{3,4})$/.test(text);
  const date = new Date(hasZone ? text : `${text}Z`);
  if (year || !isKnown || Number.isNaN(date.getTime()))
    throw new Invalid({ date: [`“${text}” is no date that is understood: write 2024-05-31.`] });
  return toInstant(date);
}

/** The gallery has times between 1700 and 2199. */
function toInstant(date: Date): Instant {
  const instant = parseInstant(date.toISOString(), 'UTC');
  if (instant === undefined) throw new Invalid({ date: ['The year must be between 1700 and 2199.'] });
  return instant;
}
