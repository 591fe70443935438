// Values that arrive from outside: members of bodies and of dump lines, query parameters, parts of paths. Each says what may
// be sent, and how it is read.

import { apiText, type Text } from './api-text.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Input<Value = unknown, Sent = unknown> {
  /** The JSON Schema of what may be sent. `read` may be stricter. */
  readonly schema: JsonSchema;
  /** Returns the value, or throws InvalidValue. */
  read(sent: Sent): Value;
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

export const textOfAtMost = (
  maxLength: number,
  problem: Text = `Too big: expected string to have <=${maxLength} characters`,
): TextInput<string> => ({
  schema: { type: 'string', maxLength },
  read(text) {
    if (text.length > maxLength) throw new InvalidValue(problem);
    return text;
  },
});

export const oneOf = <const Choice extends string>(
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

interface NumberRules {
  readonly pattern?: RegExp;
  readonly minimum: number;
  readonly maximum?: number;
}

export const wholeNumber = (
  { pattern = /^\d{1,16}$/, ...range }: NumberRules,
  problem: Text = `Enter a whole number from ${range.minimum} to ${range.maximum}.`,
): TextInput<number> => ({
  schema: { type: 'integer', ...range },
  read(text) {
    const number = pattern.test(text) ? Number(text) : Number.NaN;
    if (number >= range.minimum && number <= (range.maximum ?? number)) return number;
    throw new InvalidValue(problem);
  },
});

const idPattern = /^[1-9]\d{0,14}$/;
export const idText = wholeNumber({ pattern: idPattern, minimum: 1 }, 'Enter an id.');

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
