// The format of a dump line: a table of members, from which parsing, writing and the TypeScript type are derived. A
// schema library parses five times as slowly, and parsing is most of the cost of an import with a million lines.

import { type Input, InvalidValue, type JsonSchema } from '#common/inputs.ts';
import { toJson } from '#common/json.ts';
import { hasControlCharacters, isLongerThan } from '#common/text-rules.ts';
import { formatInstant, type Instant, parseInstant } from '../instant.ts';

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

// The members of dump lines.

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): Member<number> {
  return {
    read(value) {
      if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max)
        return value;
      const bound = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
      throw new InvalidValue(`must be a whole number ${bound}`);
    },
    schema: { type: 'integer', minimum: min, maximum: max },
  };
}

export const id = wholeNumber(1);
export const count = wholeNumber(0);

/** Written in UTC, so that an import followed by an export gives the same bytes. */
export const instant: Member<Instant> = {
  read(value) {
    const parsed = typeof value === 'string' ? parseInstant(value, 'UTC') : undefined;
    if (parsed === undefined) throw new InvalidValue('must be a date-time between 1700 and 2199');
    return parsed;
  },
  write: (value) => formatInstant(value, 'UTC'),
  schema: { type: 'string', format: 'date-time' },
};

export function oneOf<const Value extends string | number>(choices: readonly Value[]): Member<Value> {
  return {
    read(value) {
      const choice = choices.find((known) => known === value);
      if (choice !== undefined) return choice;
      throw new InvalidValue(`must be one of ${choices.join(', ')}`);
    },
    schema: { enum: choices },
  };
}

export function nullable<Value>({ read, write, schema }: Member<Value>): Member<Value | null> {
  return {
    read: (value) => (value === null ? null : read(value)),
    ...(write && { write: (value: Value | null) => (value === null ? null : write(value)) }),
    schema: { anyOf: [schema, { type: 'null' }] },
  };
}

/** The line has no such member if it has this value. */
export function unless<Value, const Omitted>(
  { read, write = (value) => value, schema }: Member<Value>,
  omitted: Omitted,
): Member<Value | Omitted> {
  return {
    read: (value) => (value === undefined ? omitted : read(value)),
    write: (value) => (value === omitted ? undefined : write(value as Value)),
    schema,
    isOptional: true,
  };
}

/** The line has no such member if the value is null. */
export const optional = <Value>(member: Member<Value>): Member<Value | null> => unless(member, null);

/** A member whose values the program has in another form, as in a column. */
export function convert<Value, Other>(
  { read, write = (value) => value, ...member }: Member<Value>,
  from: (value: Value) => Other,
  back: (other: Other) => Value,
): Member<Other> {
  return { ...member, read: (value) => from(read(value)), write: (other) => write(back(other)) };
}

/** The line has no such member if it does not hold. */
export const flag: Member<boolean> = {
  read(value) {
    if (value === undefined || value === true) return value ?? false;
    throw new InvalidValue('must be true, or left out');
  },
  write: (value) => value || undefined,
  schema: { const: true },
  isOptional: true,
};

interface TextRules {
  readonly minLength?: number;
  readonly maxLength: number;
  readonly isSingleLine?: boolean;
  readonly pattern?: readonly [pattern: RegExp, words: string];
  readonly forbidden?: readonly [pattern: RegExp, words: string];
}

export function text({
  minLength = 0,
  maxLength,
  isSingleLine,
  pattern,
  forbidden,
}: TextRules): Member<string> {
  return {
    read(value) {
      if (typeof value !== 'string') throw new InvalidValue('must be a text');
      if (!value.isWellFormed() || value.includes('\0'))
        throw new InvalidValue('must be Unicode text without NUL');
      if (value.length < minLength || isLongerThan(value, maxLength))
        throw new InvalidValue(`must have ${minLength} to ${maxLength} characters`);
      if (isSingleLine && hasControlCharacters(value))
        throw new InvalidValue('must not hold control characters');
      if (pattern && !pattern[0].test(value)) throw new InvalidValue(`must be ${pattern[1]}`);
      if (forbidden?.[0].test(value)) throw new InvalidValue(`must not hold ${forbidden[1]}`);
      return value;
    },
    // A schema's pattern has no flags.
    schema: {
      type: 'string',
      minLength,
      maxLength,
      ...(pattern?.[0].flags === '' && { pattern: pattern[0].source }),
    },
  };
}

/** One line of text without surrounding spaces, and not empty. */
export function trimmedText(rules: TextRules): Member<string> {
  const { read, schema } = text({ ...rules, minLength: 1, isSingleLine: true });
  return { read: (value) => read(typeof value === 'string' ? value.trim() : value), schema };
}

export const sha256 = (words: string): Member<string> =>
  text({ maxLength: 64, pattern: [/^[0-9a-f]{64}$/, `${words} in hexadecimal`] });

export function objects<Declared extends Members>(
  members: Declared,
  { minItems, maxItems }: { readonly minItems: number; readonly maxItems: number },
): Member<readonly ValuesOf<Declared>[]> {
  const read = createReader(members);
  const write = createWriter(members);
  return {
    read(value) {
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems)
        throw new InvalidValue(`must be a list of ${minItems} to ${maxItems}`);
      return value.map((item) => {
        const result = typeof item === 'object' && item !== null ? read(item) : 'must be an object.';
        if (typeof result === 'string') throw new InvalidValue(result.replace(/\.$/, ''));
        return result;
      });
    },
    write: (items) => items.map(write),
    schema: { type: 'array', minItems, maxItems, items: describeMembers(members) },
  };
}

export function list(rules: {
  readonly maxItems: number;
  readonly member: Member<string>;
  readonly uniqueBy?: (member: string) => string;
}): Member<string[]> {
  const { read } = rules.member;
  const { uniqueBy } = rules;
  return {
    read(value) {
      if (!Array.isArray(value)) throw new InvalidValue('must be a list');
      if (value.length > rules.maxItems)
        throw new InvalidValue(`must have at most ${rules.maxItems} members`);
      const members = value.map((member) => read(member));
      if (uniqueBy && members.length > 1 && new Set(members.map(uniqueBy)).size < members.length)
        throw new InvalidValue('must not hold one member twice');
      return members;
    },
    schema: { type: 'array', maxItems: rules.maxItems, items: rules.member.schema },
  };
}
