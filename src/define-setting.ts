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
  /** Between the values in the environment variable; a comma by default. */
  readonly separator?: string;
  readonly short?: string;
  /** Parses the value, or throws an error whose message ends a sentence: "must be …". */
  parse(text: string): Value;
}

export const defineSetting = <Value>(definition: Setting<Value>) => definition;

export const defineSwitch = (flag: string, variable: string, help: string) =>
  defineSetting({ flag, variable, fallback: 'false', help, parse: parseBoolean });
