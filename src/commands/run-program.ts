// Runs a command. An error that the operator can correct becomes a sentence and exit code 2.

import { version } from '../../package.json';
import {
  BucketUnavailable,
  Conflict,
  errorCode,
  Invalid,
  OperatorError,
  reasonOf,
  StorageFull,
  Unavailable,
} from '../common/errors.ts';
import { UsageError } from '../settings/settings.ts';
import type { Command, Environment } from './command.ts';
import { formatCommandHelp, formatHelp, type Program } from './help.ts';

/** Runs a command of the program, and returns the exit code. */
export async function runProgram(
  program: Program,
  args: string[],
  environment: Environment,
): Promise<number> {
  const [name = 'help', ...rest] = args;
  try {
    if (['version', '--version'].includes(name)) {
      console.log(version);
      return 0;
    }
    if (['help', '--help', '-h'].includes(name)) {
      console.log(
        rest[0] === undefined
          ? formatHelp(program)
          : formatCommandHelp(program, findCommand(program, rest[0])),
      );
      return 0;
    }
    const command = findCommand(program, name);
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
  throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
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
  const { name, message = String(reason), code, syscall, path } = reason as Partial<NodeJS.ErrnoException>;
  if ((isDatabaseFailure && !(syscall && path)) || name === 'SQLiteError') {
    return `The database cannot go on: ${message.replace(/\.$/, '')}. Nothing was changed.`;
  }
  return syscall ? `${path ?? 'A file'} cannot be used: ${code}.` : undefined;
}
