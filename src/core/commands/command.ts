import { resolve } from 'node:path';
import { OperatorError } from '#common/errors.ts';
import type { Database } from '#sql';
import { isOnServer } from '#sql/open';
import { formatInstant, type Instant } from '../instant.ts';
import { runJob } from '../jobs/jobs.ts';
import { openGallery, requireNoLostGallery } from '../open-gallery.ts';
import {
  pickSettings,
  readSettings,
  type SettingDefinitions,
  type SettingName,
  type Settings,
  type SettingsOf,
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
type DefinitionsOf<Name extends SettingName, More> = ReturnType<typeof pickSettings<Name>> & More;

interface CommandDefinition<Name extends SettingName, More extends SettingDefinitions>
  extends Pick<Command, 'usage' | 'help' | 'examples'> {
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
  const { settings: names, moreSettings, operand: description, run, ...about } = definition;
  const [name] = about.usage.split(' ');
  const findSettings = () => ({ ...pickSettings(names), ...moreSettings }) as DefinitionsOf<Name, More>;
  return {
    ...about,
    get settings() {
      return findSettings();
    },
    async run(args, environment) {
      const { settings: values, operands } = readSettings(findSettings(), args, environment);
      const [operand = '', ...extra] = operands;
      if (description === undefined && operands.length > 0)
        throw new UsageError(`${name} takes no ${JSON.stringify(operand)}.`);
      if (description !== undefined && (operand === '' || extra.length > 0))
        throw new OperatorError(`${name} needs ${description}.`);
      return run(values, operand, environment);
    },
  };
}

/** Prints to standard error: standard output is for scripts. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Operators have more than one gallery, and `--database` may be forgotten: a command says where it has written. */
export function printGallery({ database }: Settings<'database'>): void {
  const { hostname, pathname } = (isOnServer(database) && URL.parse(database)) || {};
  printMessage(`Gallery: ${hostname === undefined ? resolve(database) : `${hostname}${pathname}`}`);
}

/** Runs a job that another process may begin at once when this one is stopped. */
export function runStoppableJob<Result>(
  database: Database,
  name: string,
  { unlessNewer = 0 }: Settings<'unlessNewer'>,
  work: (confirm: () => Promise<void>) => Promise<Result>,
) {
  // It may be stopped when it has the job and has not begun it.
  const begun = Promise.withResolvers<() => Promise<void>>();
  let isStopped = false;
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => {
      isStopped = true;
      void begun.promise.then((release) => release()).finally(() => process.exit(code));
    });
  return runJob(database, name, unlessNewer, (confirm, release) => {
    begun.resolve(release);
    return isStopped ? new Promise<Result>(() => {}) : work(confirm);
  });
}

/** Says why a job was not done. It is a mistake if another process does it and `--unless-newer` does not allow that. */
export function isDone<Outcome extends object>(
  outcome: Outcome | 'running' | 'recent',
  { unlessNewer }: Settings<'unlessNewer'>,
  work: string,
  noun: string,
): outcome is Outcome {
  if (outcome === 'running' && unlessNewer === undefined)
    throw new OperatorError(
      `Another process makes ${work}, or was killed some seconds ago. Try again in half a minute.`,
    );
  if (outcome === 'running') console.log(`Another process makes ${work}.`);
  if (outcome === 'recent') console.log(`There is a newer ${noun}.`);
  return typeof outcome === 'object';
}

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

// A command with subcommands, such as `user add` and `user list`. All of them open the database.

export interface Subcommand<Name extends SettingName> {
  /** For `--help`; those in brackets are optional. */
  readonly operands: string;
  readonly help: string;
  /** It makes the gallery if there is none. */
  readonly mayCreate?: true;
  /** It takes `--json`. */
  readonly isList?: true;
  run(database: Database, operands: string[], settings: Settings<Name | 'database' | 'json'>): Promise<void>;
}

export function commandWithSubcommands<Name extends SettingName = never>(
  name: string,
  help: string,
  examples: readonly string[],
  subcommands: Readonly<Record<string, Subcommand<Name>>>,
  /** Besides the database. */
  moreSettings: readonly Name[] = [],
): Command {
  const findSettings = () => pickSettings<Name | 'database' | 'json'>(['database', 'json', ...moreSettings]);
  return {
    usage: `${name} COMMAND`,
    help,
    examples,
    subcommands: Object.entries(subcommands).map(([subcommandName, { operands, help }]) => ({
      usage: `${subcommandName} ${operands}`.trim(),
      help,
    })),
    get settings() {
      return findSettings();
    },
    async run(args, environment) {
      const { settings, operands: words } = readSettings(findSettings(), args, environment);
      const [subcommandName = '', ...operands] = words;
      const subcommand = Object.hasOwn(subcommands, subcommandName) ? subcommands[subcommandName] : undefined;
      if (!subcommand) throw new UsageError(`${name} needs one of ${Object.keys(subcommands).join(', ')}.`);
      if (settings.json && !subcommand.isList)
        throw new UsageError(`${name} ${subcommandName} lists nothing: it takes no --json.`);
      const operandNames = subcommand.operands.split(' ').filter(Boolean);
      const requiredCount = operandNames.filter((operand) => !operand.includes('[')).length;
      if (operands.length < requiredCount || operands.length > operandNames.length)
        throw new OperatorError(`It is: vitrine ${name} ${subcommandName} ${subcommand.operands}`.trimEnd());
      if (subcommand.mayCreate) await requireNoLostGallery(settings.database);
      const database = await openGallery(settings.database, undefined, { mustExist: !subcommand.mayCreate });
      try {
        await subcommand.run(database, operands, settings);
      } finally {
        await database.close();
      }
      if (!subcommand.isList) printGallery(settings);
    },
  };
}

export function readChoice<Choice extends string>(name: string, choices: readonly Choice[], text: string) {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new OperatorError(`${name} must be one of ${choices.join(', ')}; it was ${JSON.stringify(text)}.`);
}

/** A value for programs, and what people see of it in a table. */
type Cell = string | number | { readonly value: unknown; readonly shown: string };

/** A time; people see so many characters of it. */
export const timeCell = (instant: Instant | null, shownLength: number, noTime: string): Cell => {
  const value = instant === null ? null : formatInstant(instant, 'UTC');
  return { value, shown: value?.slice(0, shownLength) ?? noTime };
};

export const yesOrNo = (value: boolean): Cell => ({ value, shown: value ? 'yes' : 'no' });

/** Prints aligned columns with their names, or a JSON object for each row. */
export function printTable({ json }: Settings<'json'>, names: readonly string[], rows: Cell[][]): void {
  if (json) {
    const keys = names.map((name) => name.toLowerCase().replaceAll(' ', '_'));
    const objects = rows.map((row) =>
      Object.fromEntries(keys.map((key, column) => [key, dataOf(row[column])])),
    );
    process.stdout.write(`${JSON.stringify(objects, null, 2)}\n`);
    return;
  }
  const lines = [names, ...rows.map((row) => row.map(textOf))];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))),
  );
  const pad = (text: string, column: number) =>
    text + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(text));
  process.stdout.write(lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join(''));
}

const dataOf = (cell: Cell | undefined) => (typeof cell === 'object' ? cell.value : cell);
const textOf = (cell: Cell) => (typeof cell === 'object' ? cell.shown : String(cell));
