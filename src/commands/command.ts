import { OperatorError } from '../common/errors.ts';
import { readSettings, type SettingName, type Settings } from '../settings/settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Command {
  readonly usage: string;
  readonly help: string;
  readonly examples: readonly string[];
  /** For `--help`. */
  readonly subcommands?: readonly { readonly usage: string; readonly help: string }[];
  readonly settings: readonly SettingName[];
  /** Returns the exit code; undefined means 0. */
  run(args: string[], environment: Environment): Promise<number | undefined>;
}

interface CommandDefinition<Name extends SettingName> {
  readonly usage: string;
  readonly help: string;
  readonly examples: readonly string[];
  readonly settings: readonly Name[];
  /** Describes the one operand, for messages; undefined if the command takes none. */
  readonly operand?: string;
  run(settings: Settings<Name>, operand: string, environment: Environment): Promise<number | undefined>;
}

/** A command that takes one operand or none. */
export function defineCommand<Name extends SettingName>(definition: CommandDefinition<Name>): Command {
  const { usage, help, examples, settings: names, operand: description } = definition;
  const [name] = usage.split(' ');
  return {
    usage,
    help,
    examples,
    settings: names,
    async run(args, environment) {
      const { settings, operands } = readSettings(names, args, environment);
      const [operand = '', ...extra] = operands;
      if (description === undefined && operands.length > 0)
        throw new OperatorError(`${name} takes no ${JSON.stringify(operand)}. See vitrine help.`);
      if (description !== undefined && (operand === '' || extra.length > 0))
        throw new OperatorError(`${name} needs ${description}.`);
      return definition.run(settings, operand, environment);
    },
  };
}

/** Prints to standard error: standard output is for scripts. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`);
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
