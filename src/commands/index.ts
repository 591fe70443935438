// The commands, one file each. An error that the operator can correct becomes a sentence and exit code 2.

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
import { adoptCommand } from './adopt.ts';
import { backupCommand } from './backup.ts';
import { backupKeyCommand } from './backup-key.ts';
import { checkCommand } from './check.ts';
import type { Command, Environment } from './command.ts';
import { completionsCommand } from './completions.ts';
import { copyCommand } from './copy.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { formatCommandHelp, formatHelp } from './help.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { mailTestCommand } from './mail-test.ts';
import { manualCommand } from './manual.ts';
import { publicDumpCommand } from './public-dump.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { shadowCommand } from './shadow.ts';
import { siteCommand } from './site.ts';
import { userCommand } from './user.ts';
import { verifyCommand } from './verify.ts';
import { webhookCommand } from './webhook.ts';

const commands: Record<string, Command> = {
  serve: serveCommand,
  import: importCommand,
  export: exportCommand,
  adopt: adoptCommand,
  shadow: shadowCommand,
  backup: backupCommand,
  'backup-key': backupKeyCommand,
  verify: verifyCommand,
  restore: restoreCommand,
  'public-dump': publicDumpCommand,
  copy: copyCommand,
  check: checkCommand,
  doctor: doctorCommand,
  'mail-test': mailTestCommand,
  user: userCommand,
  key: keyCommand,
  webhook: webhookCommand,
  site: siteCommand,
};
commands.completions = completionsCommand(commands);
commands.man = manualCommand(commands);

export async function runCommand(args: string[], environment: Environment): Promise<number> {
  const [name = 'help', ...rest] = args;
  try {
    if (['version', '--version'].includes(name)) {
      console.log(version);
      return 0;
    }
    if (['help', '--help', '-h'].includes(name)) {
      console.log(rest[0] === undefined ? formatHelp(commands) : formatCommandHelp(findCommand(rest[0])));
      return 0;
    }
    const command = findCommand(name);
    if (asksForHelp(rest)) {
      console.log(formatCommandHelp(command));
      return 0;
    }
    return (await command.run(rest, environment)) ?? 0;
  } catch (error) {
    const message = toOperatorMessage(error);
    if (message === undefined) throw error;
    process.stderr.write(`vitrine: ${message}\n`);
    return 2;
  }
}

function findCommand(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  throw new OperatorError(`There is no command ${JSON.stringify(name)}. See vitrine help.`);
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
