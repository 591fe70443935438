// The members that a sender may write, each described once: how it is read, what a wrong one is told, and what
// OPTIONS, forms and the OpenAPI document say of it.

import { Invalid } from './errors.ts';

export interface Field<Value = unknown> {
  readonly label: string;
  readonly help?: string;
  readonly required?: boolean;
  /** Part of what is read, and passed over in what is written: clients send back what they read. */
  readonly readOnly?: boolean;
  /** What a browser may fill in by itself, as HTML names it. */
  readonly autocomplete?: string;
  /** A JSON Schema of what may be sent. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What each of the schema's choices is called. */
  readonly choices?: readonly { readonly value: string | number; readonly display_name: string }[];
  /** It names something else. */
  readonly lookup?: Lookup;
  /** Reads what was sent, or throws a Refused. */
  read(value: unknown): Value;
}

/** Where what is meant can be found by its words. */
export interface Lookup {
  /** A listing of the API that takes `search`. */
  readonly url: string;
  /** The member that is sent, and the one that people know it by. */
  readonly valueMember: string;
  readonly labelMember: string;
  /** Several, parted by commas. */
  readonly isMultiple?: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

/** What the fields have when they were sent: those that were not are not there. */
export type Values<Declared extends Fields> = {
  readonly [Name in keyof Declared]?: Declared[Name] extends Field<infer Value> ? Value : never;
};

/** Why a value cannot be used, in the sentence that its sender is told. */
export class InvalidValue extends Error {}

export const requiredMessage = 'This field is required.';

interface ReadOptions {
  /** Only what is sent counts: nothing is required. */
  readonly partial?: boolean;
  /** A member that is not known is refused instead of dropped. */
  readonly strict?: boolean;
}

/** Reads everything, and says of everything at once what is wrong with it. */
export function readFields<Declared extends Fields>(
  fields: Declared,
  data: Readonly<Record<string, unknown>>,
  { partial = false, strict = false }: ReadOptions = {},
): Values<Declared> {
  const values: Record<string, unknown> = {};
  const errors: Record<string, string[]> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.readOnly) continue;
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    // A form sends a choice that was not made.
    if (value === undefined || (value === '' && field.choices && !field.required)) {
      if (field.required && !partial) errors[name] = [requiredMessage];
      continue;
    }
    try {
      values[name] = field.read(value);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      errors[name] = [error.message];
    }
  }
  if (strict) {
    for (const name of Object.keys(data)) {
      if (!Object.hasOwn(fields, name))
        errors[name] = [`Unknown field. Known are: ${Object.keys(fields).join(', ')}.`];
    }
  }
  if (Object.keys(errors).length) throw new Invalid(errors);
  return values as Values<Declared>;
}

interface TextOptions extends Pick<Field, 'label' | 'help' | 'required' | 'autocomplete'> {
  readonly maxLength: number;
  readonly allowsBlank?: boolean;
  /** Without control characters, and without the spaces around it. */
  readonly isSingleLine?: boolean;
  readonly pattern?: readonly [pattern: RegExp, sentence: string];
  readonly format?: string;
}

export function textField({
  maxLength,
  allowsBlank,
  isSingleLine,
  pattern,
  format,
  ...rest
}: TextOptions): Field<string> {
  return {
    ...rest,
    schema: {
      type: 'string',
      ...(!allowsBlank && { minLength: 1 }),
      maxLength: maxLength,
      ...(format !== undefined && { format }),
    },
    read(value) {
      const given = readText(value);
      const text = isSingleLine ? given.trim() : given;
      if (text === '' && !allowsBlank) throw new InvalidValue('This field may not be blank.');
      // A character outside the basic plane is one character, though two units of the string.
      if (text.length > maxLength && [...text].length > maxLength)
        throw new InvalidValue(`Ensure this field has no more than ${maxLength} characters.`);
      if (isSingleLine && /\p{Cc}/u.test(text)) throw new InvalidValue('Control characters are not allowed.');
      if (text !== '' && pattern && !pattern[0].test(text)) throw new InvalidValue(pattern[1]);
      return text;
    },
  };
}

/** A text that both databases can keep. */
export function readText(value: unknown): string {
  if (value === null) throw new InvalidValue('This field may not be null.');
  if (typeof value !== 'string' && typeof value !== 'number') throw new InvalidValue('Not a valid string.');
  const text = String(value);
  if (text.includes('\0')) throw new InvalidValue('Null characters are not allowed.');
  if (!text.isWellFormed()) throw new InvalidValue('Surrogate characters are not allowed.');
  return text;
}

/** One of a few values; forms send numbers as text. */
export function choiceField<const Value extends string | number>(
  label: string,
  choices: Readonly<Record<string, Value>>,
  more: Pick<Field, 'help' | 'required'> = {},
): Field<Value> {
  const values = Object.values(choices);
  return {
    ...more,
    label,
    schema: { enum: values },
    choices: Object.entries(choices).map(([display_name, value]) => ({ value, display_name })),
    read(value) {
      if (value === null) throw new InvalidValue('This field may not be null.');
      const found = values.find((choice) => String(choice) === String(value));
      if (found === undefined || typeof value === 'object')
        throw new InvalidValue(`"${abbreviate(value)}" is not a valid choice.`);
      return found;
    },
  };
}

interface IntegerOptions {
  readonly label: string;
  readonly help?: string;
  readonly required?: boolean;
  readonly min: number;
  readonly max: number;
}

export function integerField({ min, max, ...rest }: IntegerOptions): Field<number> {
  return {
    ...rest,
    schema: { type: 'integer', minimum: min, maximum: max },
    read(value) {
      if (value === null) throw new InvalidValue('This field may not be null.');
      const number = typeof value === 'string' && /^\s*-?\d{1,16}\s*$/.test(value) ? Number(value) : value;
      if (!Number.isSafeInteger(number)) throw new InvalidValue('A valid integer is required.');
      if ((number as number) < min)
        throw new InvalidValue(`Ensure this value is greater than or equal to ${min}.`);
      if ((number as number) > max)
        throw new InvalidValue(`Ensure this value is less than or equal to ${max}.`);
      return number as number;
    },
  };
}

/** Only a form in parts can bring it. */
export function isFileSchema({ items }: Field['schema']): boolean {
  return (items as { format?: string } | undefined)?.format === 'binary';
}

/** What is read beside the rest and never written. */
export function readOnlyField(label: string, schema: Field['schema']): Field<never> {
  return {
    label,
    schema,
    readOnly: true,
    read() {
      throw new InvalidValue('This field is read only.');
    },
  };
}

function abbreviate(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 60 ? `${[...text].slice(0, 60).join('')}…` : text;
}
