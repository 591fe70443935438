// The members of a request body. Each is described once: parsing, error messages, OPTIONS, forms and the OpenAPI
// document all use the same description.

import { apiText, type Text } from '../../common/src/api-text.ts';
import { Invalid } from '../../common/src/errors.ts';
import { type Input, InvalidValue, type ReadSettings } from '../../common/src/inputs.ts';
import { hasControlCharacters, isLongerThan } from '../../common/src/text-rules.ts';

export interface Field<Value = unknown, Required extends boolean = boolean> extends Input<Value> {
  readonly label: Text;
  readonly help?: Text;
  readonly required?: Required;
  /** Clients send back whole records: a read-only member in a request body is ignored. */
  readonly readOnly?: boolean;
  /** It belongs to files, which only a multipart form can send. */
  readonly isForFiles?: boolean;
  /** The value of HTML's `autocomplete` attribute. */
  readonly autocomplete?: string;
  /** The value that applies while the field is empty. */
  readonly placeholder?: string;
  /** For files: the value of HTML's `accept` attribute. */
  readonly accept?: string;
  /** The display names of the schema's choices. */
  readonly choices?: readonly { readonly value: string | number; readonly display_name: Text }[];
  /** For a member that names something else: where to search for it. */
  readonly lookup?: Lookup;
}

/** A search that suggests values while somebody types. */
export interface Lookup {
  /** A listing of the API that has a `search` parameter. */
  readonly url: string;
  /** The member of each result that is sent; `labelMember` is shown to people. */
  readonly valueMember: string;
  readonly labelMember: string;
  /** The member takes several values, separated by commas. */
  readonly isMultiple?: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<Declared> = Declared extends Field<infer Value> ? Value : never;
type IsRequired<Declared> = Declared extends Field<unknown, true> ? true : false;

/** The parsed values. A field that is not required is missing if it was not sent. */
export type Values<Declared extends Fields> = {
  readonly [Name in keyof Declared as IsRequired<Declared[Name]> extends true ? Name : never]: ValueOf<
    Declared[Name]
  >;
} & {
  readonly [Name in keyof Declared as IsRequired<Declared[Name]> extends true ? never : Name]?: ValueOf<
    Declared[Name]
  >;
};

export const requiredText = apiText('required');

/** The values of a body of which nothing is required. */
export type PartialValues<Declared extends Fields> = Partial<Values<Declared>>;

interface ReadOptions {
  /** An unknown member is an error; otherwise it is ignored. */
  readonly isStrict?: boolean;
  /** JSON says what it means; a form sends an empty text for a choice that nobody made. */
  readonly isJson?: boolean;
  /** Such members are not parsed, and their values are missing: what is stored may be older than the rules. */
  isUnchanged?(name: string, value: unknown): boolean;
  /** The errors of values that do not fit together. */
  readonly findProblems?: FindProblems | undefined;
  readonly settings?: ReadSettings;
}

type Problems = Record<string, Text[]>;
/** Members with errors of their own have no value. */
export type FindProblems = (
  values: Readonly<Record<string, unknown>>,
  errors: Readonly<Problems>,
) => Problems;

/** Parses all fields and throws one Invalid with all errors. */
export const readFields = <Declared extends Fields>(
  fields: Declared,
  data: Readonly<Record<string, unknown>>,
  options: ReadOptions = {},
): Values<Declared> => readMembers(fields, data, { ...options, isPartial: false }) as Values<Declared>;

/** The same where nothing is required, as for PATCH. */
export const readPartially = <Declared extends Fields>(
  fields: Declared,
  data: Readonly<Record<string, unknown>>,
  options: ReadOptions = {},
): PartialValues<Declared> =>
  readMembers(fields, data, { ...options, isPartial: true }) as PartialValues<Declared>;

function readMembers(
  fields: Fields,
  data: Readonly<Record<string, unknown>>,
  {
    isPartial,
    isStrict,
    isJson,
    isUnchanged,
    findProblems,
    settings,
  }: ReadOptions & { readonly isPartial: boolean },
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const errors: Problems = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.readOnly) continue;
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    const isUnchosen = value === '' && !isJson && field.choices && !field.required;
    if (value === undefined || isUnchosen) {
      if (field.required && !isPartial) errors[name] = [requiredText];
      continue;
    }
    if (isUnchanged?.(name, value)) continue;
    try {
      values[name] = field.read(value, settings);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      errors[name] = [error.text];
    }
  }
  for (const [name, messages] of Object.entries(findProblems?.(values, errors) ?? {}))
    errors[name] ??= messages;
  if (isStrict) {
    for (const name of Object.keys(data)) {
      if (!Object.hasOwn(fields, name))
        errors[name] = [`Unknown field. Known are: ${Object.keys(fields).join(', ')}.`];
    }
  }
  if (Object.keys(errors).length) throw new Invalid(errors);
  return values;
}

export interface TextOptions<Required extends boolean>
  extends Pick<Field<string, Required>, 'label' | 'help' | 'required' | 'autocomplete'> {
  readonly maxLength: number;
  readonly allowsBlank?: boolean;
  /** Without control characters; surrounding spaces are removed. */
  readonly isSingleLine?: boolean;
  readonly pattern?: readonly [pattern: RegExp, sentence: Text];
  readonly format?: string;
}

export const textField = <Required extends boolean = false>({
  maxLength,
  allowsBlank,
  isSingleLine,
  pattern,
  format,
  ...rest
}: TextOptions<Required>): Field<string, NoInfer<Required>> => ({
  ...rest,
  schema: {
    type: 'string',
    ...(!allowsBlank && { minLength: 1 }),
    maxLength,
    ...(format !== undefined && { format }),
  },
  read(value) {
    const given = readText(value);
    const text = isSingleLine ? given.trim() : given;
    if (text === '' && !allowsBlank) throw new InvalidValue(apiText('blank'));
    if (isLongerThan(text, maxLength)) throw new InvalidValue(apiText('maxLength', { max: maxLength }));
    if (isSingleLine && hasControlCharacters(text)) throw new InvalidValue(apiText('controlCharacters'));
    if (text !== '' && pattern && !pattern[0].test(text)) throw new InvalidValue(pattern[1]);
    return text;
  },
});

/** Empty for what is no text: `String` throws for some objects that JSON can hold. */
export const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A text that both databases can store. */
export function readText(value: unknown): string {
  if (value === null) throw new InvalidValue(apiText('null'));
  if (typeof value !== 'string' && typeof value !== 'number') throw new InvalidValue(apiText('notText'));
  const text = String(value);
  if (text.includes('\0')) throw new InvalidValue(apiText('nullCharacters'));
  if (!text.isWellFormed()) throw new InvalidValue(apiText('surrogates'));
  return text;
}

const isNumeric = (text: string) => /^\d+$/.test(text);

/** One of a few values, each with its label. Forms send numbers as text. */
export function choiceField<const Value extends string | number, Required extends boolean = false>(
  label: Text,
  choices: Readonly<Record<Value, Text>>,
  more: Pick<Field<Value, Required>, 'help' | 'required'> = {},
): Field<Value, NoInfer<Required>> {
  const entries = Object.entries<Text>(choices).map(([key, display_name]) => ({
    value: (isNumeric(key) ? Number(key) : key) as Value,
    display_name,
  }));
  const values = entries.map(({ value }) => value);
  return {
    ...more,
    label,
    schema: { type: values.every((value) => typeof value === 'number') ? 'integer' : 'string', enum: values },
    choices: entries,
    read(value) {
      if (value === null) throw new InvalidValue(apiText('null'));
      const found = values.find((choice) => String(choice) === toText(value));
      if (found === undefined) throw new InvalidValue(apiText('notChoice', { value: abbreviate(value) }));
      return found;
    },
  };
}

/** JSON sends `true` or `false`, forms send them as text. */
export function booleanField(label: string): Field<boolean> {
  const choices = { Yes: 'true', No: 'false' } as const;
  return {
    label,
    schema: { type: 'boolean' },
    choices: Object.entries(choices).map(([display_name, value]) => ({ value, display_name })),
    read(value) {
      if (value === null) throw new InvalidValue(apiText('null'));
      if (value === true || value === choices.Yes) return true;
      if (value === false || value === choices.No) return false;
      throw new InvalidValue('Must be a valid boolean.');
    },
  };
}

interface IntegerOptions<Required extends boolean>
  extends Pick<Field<number, Required>, 'label' | 'help' | 'required'> {
  readonly min: number;
  readonly max: number;
}

export const integerField = <Required extends boolean = false>({
  min,
  max,
  ...rest
}: IntegerOptions<Required>): Field<number, NoInfer<Required>> => ({
  ...rest,
  schema: { type: 'integer', minimum: min, maximum: max },
  read(value) {
    if (value === null) throw new InvalidValue(apiText('null'));
    const number = typeof value === 'string' && /^\s*-?\d{1,16}\s*$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number))
      throw new InvalidValue(apiText('notInteger'));
    if (number < min) throw new InvalidValue(apiText('min', { min }));
    if (number > max) throw new InvalidValue(apiText('max', { max }));
    return number;
  },
});

/** Only a multipart form can send a file. */
export const isFileSchema = ({ items }: Field['schema']): boolean =>
  typeof items === 'object' && items !== null && 'format' in items && items.format === 'binary';

/** Only a multipart form has such a member. */
export const isFormField = ({ schema, isForFiles = false }: Field) => isForFiles || isFileSchema(schema);

/** A member of the record that clients cannot write. */
export const readOnlyField = (label: string, schema: Field['schema']): Field<never> => ({
  label,
  schema,
  readOnly: true,
  read() {
    throw new InvalidValue('This field is read only.');
  },
});

function abbreviate(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 60 ? `${[...text].slice(0, 60).join('')}…` : text;
}
