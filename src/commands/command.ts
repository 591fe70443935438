import type { SettingName } from '../settings.ts';

export interface Command {
  readonly usage: string;
  readonly help: string;
  /** For `--help`. */
  readonly subcommands?: readonly { readonly usage: string; readonly help: string }[];
  readonly settings: readonly SettingName[];
  /** Returns the exit code; undefined means 0. */
  run(args: string[], environment: Record<string, string | undefined>): Promise<number | undefined>;
}
