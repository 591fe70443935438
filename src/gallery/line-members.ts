// The members of dump lines.

import { InvalidValue } from '../common/inputs.ts';
import { hasControlCharacters, isLongerThan } from '../common/text-rules.ts';
import { formatInstant, type Instant, parseInstant } from './instant.ts';
import {
  createReader,
  createWriter,
  describeMembers,
  type Member,
  type Members,
  type ValuesOf,
} from './line-format.ts';

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

export function sha256(words: string): Member<string> {
  return text({ maxLength: 64, pattern: [/^[0-9a-f]{64}$/, `${words} in hexadecimal`] });
}

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
      const members = value.map(read);
      if (uniqueBy && members.length > 1 && new Set(members.map(uniqueBy)).size < members.length)
        throw new InvalidValue('must not hold one member twice');
      return members;
    },
    schema: { type: 'array', maxItems: rules.maxItems, items: rules.member.schema },
  };
}
