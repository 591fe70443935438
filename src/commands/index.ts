// The commands, one file each. An error that the operator can correct becomes a sentence and exit code 2.

import { version } from '../../package.json';
import {
  BucketUnavailable,
  Conflict,
  errorCode,
  errorMessage,
  Invalid,
  OperatorError,
  StorageFull,
  Unavailable,
} from '../errors.ts';
import { settings } from '../settings.ts';
import { adoptCommand } from './adopt.ts';
import { backupCommand } from './backup.ts';
import { backupKeyCommand } from './backup-key.ts';
import { checkCommand } from './check.ts';
import type { Command, Environment } from './command.ts';
import { copyCommand } from './copy.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { keyCommand } from './key.ts';
import { publicDumpCommand } from './public-dump.ts';
import { restoreCommand } from './restore.ts';
import { serveCommand } from './serve.ts';
import { shadowCommand } from './shadow.ts';
import { siteCommand } from './site.ts';
import { userCommand } from './user.ts';
import { verifyCommand } from './verify.ts';

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
  user: userCommand,
  key: keyCommand,
  site: siteCommand,
};

export async function runCommand(args: string[], environment: Environment): Promise<number> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name) || rest.includes('--help')) {
    console.log(formatHelp());
    return 0;
  }
  if (['version', '--version'].includes(name)) {
    console.log(version);
    return 0;
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new OperatorError(`There is no command ${JSON.stringify(name)}. See vitrine help.`);
    return (await command.run(rest, environment)) ?? 0;
  } catch (error) {
    const message = toOperatorMessage(error);
    if (message === undefined) throw error;
    process.stderr.write(`vitrine: ${message}\n`);
    return 2;
  }
}

/** The message for an error that the operator can correct; undefined for a bug, which needs its stack trace. */
function toOperatorMessage(error: unknown): string | undefined {
  if (error instanceof OperatorError || error instanceof Invalid || error instanceof Conflict)
    return error.message;
  if (error instanceof BucketUnavailable) {
    const reason = errorMessage(error.cause).replace(/\.$/, '');
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

function formatHelp(): string {
  const sections = Object.values(commands).map(({ usage, help, subcommands = [], settings: names }) =>
    [
      `  vitrine ${usage}`,
      `      ${help}`,
      ...subcommands.map((act) => `        ${act.usage}\n            ${act.help}`),
      ...names.map((setting) => formatOption(settings[setting])),
    ].join('\n'),
  );
  return `Vitrine, a gallery server for community projects.\n\n${sections.join('\n\n')}\n\nEvery option has an environment variable, named beside it; the flag wins.`;
}

function formatOption(option: {
  flag: string;
  placeholder?: string;
  variable: string;
  fallback: string;
  help: string;
}): string {
  const flag = `--${option.flag}${option.placeholder ? ` ${option.placeholder}` : ''}`;
  const fallback = option.placeholder && option.fallback ? ` Default: ${option.fallback}.` : '';
  return `        ${flag.padEnd(34)}${option.help}${fallback} [${option.variable}]`;
}
