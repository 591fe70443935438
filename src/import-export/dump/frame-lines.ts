// The first and the last line of a dump. Dumps without them are of version 1, or made by hand.

import { InvalidValue } from '../../common/fields.ts';
import { isJsonObject } from '../../common/json.ts';
import { defineLine, type LineFormat, type LineOf, type Member } from '../../gallery/line-format.ts';
import { count, sha256, wholeNumber } from '../../gallery/line-members.ts';

export const dumpVersion = 2;

const format = defineLine('vitrine-dump', { version: wholeNumber(dumpVersion) });

/** The first line of a later version may have other members too. */
export const firstLine: LineFormat<LineOf<typeof format>> = {
  ...format,
  parse: (values) =>
    Number(values.version) > dumpVersion
      ? `is of version ${Number(values.version)} of the dump, and this program reads versions up to ${dumpVersion}: use a newer version of Vitrine.`
      : format.parse(values),
};

export const lineCounts: Member<Readonly<Record<string, number>>> = {
  read(value) {
    if (!isJsonObject(value)) throw new InvalidValue('must be an object');
    return Object.fromEntries(Object.entries(value).map(([type, number]) => [type, count.read(number)]));
  },
  schema: { type: 'object', additionalProperties: count.schema },
};

/** `lines`: how many lines there are of each type. `sha256`: of all bytes before this line. */
export const lastLine = defineLine('end', { lines: lineCounts, sha256: sha256('a SHA-256') });

export type LastLine = LineOf<typeof lastLine>;
