// Runs a command. An error that the operator can correct becomes a sentence and exit code 2.

import {
  BucketUnavailable,
  Conflict,
  errorCode,
  Invalid,
  isStorageFull,
  OperatorError,
  reasonOf,
  StorageFull,
  systemReason,
  Unavailable,
} from '#common/errors.ts';
import { suggest } from '#common/mistyped.ts';
import { damageAdvice, isDamage } from '#sql/open';
import { type Command, type Environment, printMessage } from '../../core/commands/command.ts';
import { listSettings, UsageError } from '../../core/settings/settings.ts';
import { workerVariable } from '../workers/worker.ts';
import { formatCommandHelp, formatHelp, type Program } from './help.ts';

/** Runs a command of the program, and returns the exit code. */
export async function runProgram(
  program: Program,
  args: string[],
  environment: Environment,
): Promise<number> {
  const [first = 'help', ...rest] = args;
  const name = first === '--version' ? 'version' : first;
  try {
    if (['help', '--help', '-h'].includes(name)) {
      console.log(
        rest[0] === undefined
          ? formatHelp(program)
          : formatCommandHelp(program, findCommand(program, rest[0])),
      );
      return 0;
    }
    const command = findCommand(program, name);
    // The supervisor of a worker has told the operator already.
    if (environment[workerVariable] === undefined) warnOfUnknownVariables(program, environment);
    if (asksForHelp(rest)) {
      console.log(formatCommandHelp(program, command));
      return 0;
    }
    return (await command.run(rest, environment)) ?? 0;
  } catch (error) {
    const message = toOperatorMessage(error);
    if (message === undefined) throw error;
    const help = error instanceof UsageError ? ` See ${program.name} help.` : '';
    process.stderr.write(`${program.name}: ${message}${help}\n`);
    return 2;
  }
}

function findCommand({ commands }: Program, name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  throw new UsageError(`There is no command ${JSON.stringify(name)}.${suggest(name, Object.keys(commands))}`);
}

const prefix = 'VITRINE_';

/** A mistyped variable would be ignored without a word. */
function warnOfUnknownVariables({ name, commands }: Program, environment: Environment): void {
  const known = Object.values({ ...commands, all: { settings: listSettings() } }).flatMap((command) =>
    Object.values(command.settings).map(({ variable }) => variable),
  );
  const unknown = Object.keys(environment).filter(
    (variable) => variable.startsWith(prefix) && !known.includes(variable),
  );
  for (const variable of unknown)
    printMessage(`${name}: There is no setting ${variable}.${suggest(variable, known, prefix)}`);
}

function asksForHelp(args: string[]): boolean {
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  return options.includes('--help') || options.includes('-h');
}

/** The message for an error that the operator can correct; undefined for a bug, which needs its stack trace. */
function toOperatorMessage(error: unknown): string | undefined {
  if (error instanceof OperatorError || error instanceof Invalid || error instanceof Conflict)
    return error.message;
  if (error instanceof BucketUnavailable) {
    const reason = reasonOf(error.cause);
    return `The bucket cannot be used: ${reason || errorCode(error.cause)}.`;
  }
  const isDatabaseFailure = error instanceof Unavailable || error instanceof StorageFull;
  const reason = isDatabaseFailure ? error.cause : error;
  if (isDamage(reason)) return `The database is damaged: ${damageAdvice}.`;
  const { name, message = String(reason), syscall, path } = reason as Partial<NodeJS.ErrnoException>;
  if ((isDatabaseFailure && !(syscall && path)) || name === 'SQLiteError')
    return `The database cannot go on: ${message.replace(/\.$/, '')}. Nothing was changed.`;
  if (!syscall) return undefined;
  const isFull = isStorageFull(reason) && path !== undefined;
  return isFull
    ? `The disk of ${path} is full.`
    : `${path ?? 'A file'} cannot be used: ${systemReason(reason)}.`;
}
