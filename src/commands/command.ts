import { OperatorError } from '../common/errors.ts';
import {
  pickSettings,
  readSettings,
  type SettingDefinitions,
  type SettingName,
  type SettingsOf,
  type settings,
  UsageError,
} from '../settings/settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Command {
  readonly usage: string;
  readonly help: string;
  readonly examples: readonly string[];
  /** For `--help`. */
  readonly subcommands?: readonly { readonly usage: string; readonly help: string }[];
  readonly settings: SettingDefinitions;
  /** Returns the exit code; undefined means 0. */
  run(args: string[], environment: Environment): Promise<number | undefined>;
}

/** The settings of these names, and more that only this command has. */
type DefinitionsOf<Name extends SettingName, More> = Pick<typeof settings, Name> & More;

interface CommandDefinition<Name extends SettingName, More extends SettingDefinitions> {
  readonly usage: string;
  readonly help: string;
  readonly examples: readonly string[];
  readonly settings: readonly Name[];
  readonly moreSettings?: More;
  /** Describes the one operand, for messages; undefined if the command takes none. */
  readonly operand?: string;
  run(
    settings: SettingsOf<DefinitionsOf<Name, More>>,
    operand: string,
    environment: Environment,
  ): Promise<number | undefined>;
}

/** A command that takes one operand or none. */
export function defineCommand<
  Name extends SettingName,
  More extends SettingDefinitions = Record<never, never>,
>(definition: CommandDefinition<Name, More>): Command {
  const { usage, help, examples, settings: names, moreSettings, operand: description } = definition;
  const [name] = usage.split(' ');
  const settings = { ...pickSettings(names), ...moreSettings } as DefinitionsOf<Name, More>;
  return {
    usage,
    help,
    examples,
    settings,
    async run(args, environment) {
      const { settings: values, operands } = readSettings(settings, args, environment);
      const [operand = '', ...extra] = operands;
      if (description === undefined && operands.length > 0)
        throw new UsageError(`${name} takes no ${JSON.stringify(operand)}.`);
      if (description !== undefined && (operand === '' || extra.length > 0))
        throw new OperatorError(`${name} needs ${description}.`);
      return definition.run(values, operand, environment);
    },
  };
}

/** Prints to standard error: standard output is for scripts. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`);
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
