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
  readonly lookUp?: LookUp;
  /** Reads what was sent, or throws a Refused. */
  read(value: unknown): Value;
}

/** Where what is meant can be found by its words. */
export interface LookUp {
  /** A listing of the API that takes `search`. */
  readonly address: string;
  /** The member that is sent, and the one that people know it by. */
  readonly value: string;
  readonly label: string;
  /** Several, parted by commas. */
  readonly several?: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

/** What the fields have when they were sent: those that were not are not there. */
export type Values<Known extends Fields> = {
  readonly [Name in keyof Known]?: Known[Name] extends Field<infer Value> ? Value : never;
};

/** Why a value cannot be used, in the sentence that its sender is told. */
export class Refused extends Error {}

export const absent = 'This field is required.';

interface How {
  /** Only what is sent counts: nothing is required. */
  readonly partial?: boolean;
  /** A member that is not known is refused instead of dropped. */
  readonly strict?: boolean;
}

/** Reads everything, and says of everything at once what is wrong with it. */
export function readFields<Known extends Fields>(
  fields: Known,
  data: Readonly<Record<string, unknown>>,
  { partial = false, strict = false }: How = {},
): Values<Known> {
  const values: Record<string, unknown> = {};
  const wrong: Record<string, string[]> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.readOnly) continue;
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    // A form sends a choice that was not made.
    if (value === undefined || (value === '' && field.choices && !field.required)) {
      if (field.required && !partial) wrong[name] = [absent];
      continue;
    }
    try {
      values[name] = field.read(value);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong[name] = [error.message];
    }
  }
  if (strict) {
    for (const name of Object.keys(data)) {
      if (!Object.hasOwn(fields, name))
        wrong[name] = [`Unknown field. Known are: ${Object.keys(fields).join(', ')}.`];
    }
  }
  if (Object.keys(wrong).length) throw new Invalid(wrong);
  return values as Values<Known>;
}

interface TextRules extends Pick<Field, 'label' | 'help' | 'required' | 'autocomplete'> {
  readonly most: number;
  readonly blank?: boolean;
  /** Without control characters, and without the spaces around it. */
  readonly oneLine?: boolean;
  readonly like?: readonly [pattern: RegExp, sentence: string];
  readonly format?: string;
}

export function textField({ most, blank, oneLine, like, format, ...rest }: TextRules): Field<string> {
  return {
    ...rest,
    schema: {
      type: 'string',
      ...(!blank && { minLength: 1 }),
      maxLength: most,
      ...(format !== undefined && { format }),
    },
    read(value) {
      const given = plainText(value);
      const text = oneLine ? given.trim() : given;
      if (text === '' && !blank) throw new Refused('This field may not be blank.');
      // A character outside the basic plane is one character, though two units of the string.
      if (text.length > most && [...text].length > most)
        throw new Refused(`Ensure this field has no more than ${most} characters.`);
      if (oneLine && /\p{Cc}/u.test(text)) throw new Refused('Control characters are not allowed.');
      if (text !== '' && like && !like[0].test(text)) throw new Refused(like[1]);
      return text;
    },
  };
}

/** A text that both databases can keep. */
export function plainText(value: unknown): string {
  if (value === null) throw new Refused('This field may not be null.');
  if (typeof value !== 'string' && typeof value !== 'number') throw new Refused('Not a valid string.');
  const text = String(value);
  if (text.includes('\0')) throw new Refused('Null characters are not allowed.');
  if (!text.isWellFormed()) throw new Refused('Surrogate characters are not allowed.');
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
      if (value === null) throw new Refused('This field may not be null.');
      const found = values.find((choice) => String(choice) === String(value));
      if (found === undefined || typeof value === 'object')
        throw new Refused(`"${shown(value)}" is not a valid choice.`);
      return found;
    },
  };
}

interface WholeRules {
  readonly label: string;
  readonly help?: string;
  readonly required?: boolean;
  readonly least: number;
  readonly most: number;
}

export function wholeField({ least, most, ...rest }: WholeRules): Field<number> {
  return {
    ...rest,
    schema: { type: 'integer', minimum: least, maximum: most },
    read(value) {
      if (value === null) throw new Refused('This field may not be null.');
      const number = typeof value === 'string' && /^\s*-?\d{1,16}\s*$/.test(value) ? Number(value) : value;
      if (!Number.isSafeInteger(number)) throw new Refused('A valid integer is required.');
      if ((number as number) < least)
        throw new Refused(`Ensure this value is greater than or equal to ${least}.`);
      if ((number as number) > most) throw new Refused(`Ensure this value is less than or equal to ${most}.`);
      return number as number;
    },
  };
}

/** Only a form in parts can bring it. */
export function isFile({ items }: Field['schema']): boolean {
  return (items as { format?: string } | undefined)?.format === 'binary';
}

/** What is read beside the rest and never written. */
export function readOnly(label: string, schema: Field['schema']): Field<never> {
  return {
    label,
    schema,
    readOnly: true,
    read() {
      throw new Refused('This field is read only.');
    },
  };
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 60 ? `${[...text].slice(0, 60).join('')}…` : text;
}
