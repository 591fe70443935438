// The format of a dump line: a table of members, from which parsing, writing and the TypeScript type are derived. A
// schema library parses five times as slowly, and parsing is most of the cost of an import with a million lines.

import { type Input, InvalidValue, type JsonSchema } from '../common/inputs.ts';
import { toJson } from '../common/json.ts';

/**
 * One member of a line: how its JSON value is read and written. Values of most members are their own JSON. The message
 * of an InvalidValue ends a sentence that begins with the member's name.
 */
export interface Member<Value = unknown> extends Input<Value> {
  write?(value: Value): unknown;
  /** The line may lack it. */
  readonly isOptional?: boolean;
  /** Its name in the line, if the program has another one for it. */
  readonly lineName?: string;
}

export type Members = Readonly<Record<string, Member>>;

export type ValuesOf<Declared extends Members> = {
  -readonly [Name in keyof Declared]: Declared[Name] extends Member<infer Value> ? Value : never;
};

export interface LineFormat<Line = unknown> {
  /** The value of the member `type`, with which the line begins. */
  readonly type: string;
  /** Returns the line, or sentences that say why it is rejected. */
  parse(values: Readonly<Record<string, unknown>>): Line | string;
  stringify(line: Line): string;
  readonly schema: JsonSchema;
}

export type LineOf<Format> = Format extends LineFormat<infer Line> ? Line : never;

/** Lines have their members in the order of the table. A new member must be optional: earlier dumps do not have it. */
export function defineLine<const Declared extends Members>(
  type: string,
  members: Declared,
): LineFormat<ValuesOf<Declared>> {
  const typeMember: Member<string> = { read: () => type, schema: { const: type } };
  const known = { type: typeMember, ...members };
  const write = createWriter(members, { type });
  return {
    type,
    parse: createReader(members, known),
    stringify: (line) => toJson(write(line)),
    schema: describeMembers(known),
  };
}

const withLineNames = (members: Members) =>
  Object.entries(members).map(([name, member]) => [member.lineName ?? name, member] as const);

export function describeMembers(members: Members): JsonSchema {
  const entries = withLineNames(members);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
    additionalProperties: false,
  };
}

/** Returns the values, or sentences that say what is wrong. `known` has more members if others are allowed too. */
export function createReader<Declared extends Members>(
  members: Declared,
  known: Members = members,
): (values: Readonly<Record<string, unknown>>) => ValuesOf<Declared> | string {
  const readers = Object.entries(members).map(([name, { read, lineName = name }]) => ({
    name,
    lineName,
    read,
  }));
  const knownNames = new Set(withLineNames(known).map(([name]) => name));
  return (values) => {
    const result: Record<string, unknown> = {};
    const problems: string[] = [];
    for (const { name, lineName, read } of readers) {
      try {
        result[name] = read(values[lineName]);
      } catch (error) {
        if (!(error instanceof InvalidValue)) throw error;
        problems.push(`${lineName}: ${values[lineName] === undefined ? 'is missing' : error.message}.`);
      }
    }
    for (const name in values)
      if (!knownNames.has(name)) problems.push(`${JSON.stringify(name.slice(0, 60))}: is not known.`);
    return problems.length ? problems.slice(0, 10).join(' ') : (result as ValuesOf<Declared>);
  };
}

/** A copy of an object that has all members in order is several times as fast to fill as an empty object. */
export function createWriter<Declared extends Members>(
  members: Declared,
  constants: Readonly<Record<string, unknown>> = {},
): (values: ValuesOf<Declared>) => Record<string, unknown> {
  const template: Record<string, unknown> = { ...constants };
  for (const [lineName] of withLineNames(members)) template[lineName] = undefined;
  const entries = Object.entries(members);
  const isPlain = ({ write, lineName }: Member) => !write && lineName === undefined;
  const plainNames = entries.filter(([, member]) => isPlain(member)).map(([name]) => name);
  const writers = entries
    .filter(([, member]) => !isPlain(member))
    .map(([name, { write = (value: unknown) => value, lineName = name }]) => ({ name, lineName, write }));
  return (values) => {
    const result = { ...template };
    for (const name of plainNames) result[name] = values[name];
    for (const { name, lineName, write } of writers) result[lineName] = write(values[name]);
    return result;
  };
}
