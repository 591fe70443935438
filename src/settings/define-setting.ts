// The type of a setting. settings.ts has all settings.

import { parseBoolean } from './setting-values.ts';

export interface Setting<Value> {
  readonly flag: string;
  /** Stands for the value in `--help`; a switch has none. */
  readonly placeholder?: string;
  readonly variable: string;
  readonly fallback: string;
  readonly help: string;
  readonly repeatable?: boolean;
  /** Whether the text holds a password: then it is never shown, and only the environment variable may have it. */
  isSecret?(text: string): boolean;
  /** Between the values in the environment variable; a comma by default. */
  readonly separator?: string;
  /** Parses the value, or throws an error whose message ends a sentence: "must be …". */
  parse(text: string): Value;
}

type Definition<Value> = Omit<Setting<Value>, 'fallback'> & { readonly fallback?: string };

export const defineSetting = <Value>(definition: Definition<Value>): Setting<Value> => ({
  fallback: '',
  ...definition,
});

/** A setting whose text is taken as it is. */
export const defineText = (definition: Omit<Definition<string>, 'parse'>) =>
  defineSetting({ ...definition, parse: (text) => text });

export const defineSwitch = (flag: string, variable: string, help: string) =>
  defineSetting({ flag, variable, fallback: 'false', help, parse: parseBoolean });
