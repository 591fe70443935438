import type { SettingName } from '../settings.ts';

export interface Command {
  readonly usage: string;
  readonly help: string;
  /** What it does, where it does several things. */
  readonly subcommands?: readonly { readonly usage: string; readonly help: string }[];
  readonly settings: readonly SettingName[];
  /** Gives an exit code, unless it is 0. */
  run(args: string[], environment: Record<string, string | undefined>): Promise<number | undefined>;
}
