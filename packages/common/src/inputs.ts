// Values that arrive from outside: members of bodies and of dump lines, query parameters, parts of paths. Each says what may
// be sent, and how it is read.

import { apiText, type Text } from './api-text.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Input<Value = unknown, Sent = unknown> {
  /** The JSON Schema of what may be sent. `read` may be stricter. */
  readonly schema: JsonSchema;
  /** Returns the value, or throws InvalidValue. */
  read(sent: Sent, settings?: ReadSettings): Value;
}

/** The settings of the server by which some values are read. */
export interface ReadSettings {
  /** Of times without an offset. */
  readonly timeZone: string;
  /** Returns the usual form of a URL to which the server may send requests, or throws InvalidValue. */
  readUrl?(text: string): string;
}

/** The value cannot be used; the message says why. */
export class InvalidValue extends Error {
  constructor(readonly text: Text) {
    super(String(text));
  }
}

/** An input in a URL or a header. */
export type TextInput<Value = unknown> = Input<Value, string>;

export const anyText: TextInput<string> = { schema: { type: 'string' }, read: (text) => text };

export const shortText = (
  maxLength: number,
  problem: Text = `Too big: expected string to have <=${maxLength} characters`,
): TextInput<string> => ({
  schema: { type: 'string', maxLength },
  read(text) {
    if (text.length > maxLength) throw new InvalidValue(problem);
    return text;
  },
});

export const choiceText = <const Choice extends string>(
  choices: readonly Choice[],
  findProblem: (text: string) => Text = () =>
    `Invalid option: expected one of ${choices.map((choice) => `"${choice}"`).join('|')}`,
): TextInput<Choice> => ({
  schema: { type: 'string', enum: choices },
  read(text) {
    const found = choices.find((choice) => choice === text);
    if (found === undefined) throw new InvalidValue(findProblem(text));
    return found;
  },
});

export const numberText = (minimum: number, maximum: number, pattern = /^\d{1,16}$/): TextInput<number> => ({
  schema: { type: 'integer', minimum, maximum },
  read(text) {
    const number = pattern.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    throw new InvalidValue(`Enter a whole number from ${minimum} to ${maximum}.`);
  },
});

export const idText = (problem: Text = 'Enter an id.', pattern = /^[1-9]\d{0,14}$/): TextInput<number> => ({
  schema: { type: 'integer', minimum: 1 },
  read(text) {
    if (pattern.test(text)) return Number(text);
    throw new InvalidValue(problem);
  },
});

/** Reads it, with another error for a value that cannot be used. */
export function readOrThrow<Value, Sent>(
  input: Pick<Input<Value, Sent>, 'read'>,
  sent: Sent,
  toError: (problem: Text) => Error,
  settings?: ReadSettings,
): Value {
  try {
    return input.read(sent, settings);
  } catch (error) {
    throw error instanceof InvalidValue ? toError(error.text) : error;
  }
}

/** The parts of a text between commas, each once. */
export const splitList = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

export const notOption = (value: string): Text => apiText('notOption', { value });
