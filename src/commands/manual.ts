// The man page, from the table of commands and settings, in the macros of man(7).

import { version } from '../../package.json';
import { type Command, defineCommand } from './command.ts';
import { type Commands, findOptions, formatFlag, introduction, precedence } from './help.ts';

export const manualCommand = (commands: Commands): Command =>
  defineCommand({
    usage: 'man',
    help: 'Prints the man page.',
    examples: ['vitrine man | man -l -', 'vitrine man > /usr/local/share/man/man1/vitrine.1'],
    settings: [],
    async run() {
      process.stdout.write(formatManual(commands));
      return undefined;
    },
  });

const exitStatus = [
  ['0', 'Success.'],
  ['1', 'What the command checks or compares is not right; it says what.'],
  ['2', 'A mistake in a command or a setting, or something that the command needs cannot be used.'],
] as const;

function formatManual(commands: Commands): string {
  return [
    `.TH VITRINE 1 "" "Vitrine ${version}" "User Commands"`,
    // Names of options and variables stay whole.
    '.nh',
    '.ad l',
    '.SH NAME',
    'vitrine \\- a gallery server for community projects',
    '.SH SYNOPSIS',
    '.B vitrine',
    escapeText('COMMAND [OPTION…]'),
    '.SH DESCRIPTION',
    escapeText(`${introduction} ${precedence}`),
    '.SH COMMANDS',
    ...Object.values(commands).flatMap(formatCommand),
    '.SH EXIT STATUS',
    ...exitStatus.flatMap(([code, meaning]) => formatItem(code, meaning)),
    '',
  ].join('\n');
}

function formatCommand(command: Command): string[] {
  const { usage, help, subcommands = [], examples } = command;
  const options = findOptions(command).map((option) => {
    const fallback = option.fallback ? ` Default: ${option.fallback}.` : '';
    return [
      formatFlag(option),
      `${option.help}${fallback} Environment variable: ${option.variable}.`,
    ] as const;
  });
  return [
    `.SS ${escapeText(`vitrine ${usage}`)}`,
    escapeText(help),
    ...subcommands.flatMap((subcommand) => formatItem(subcommand.usage, subcommand.help)),
    ...options.flatMap(([flag, text]) => formatItem(flag, text)),
    '.P',
    examples.length > 1 ? 'Examples:' : 'Example:',
    '.P',
    '.nf',
    '.RS',
    ...examples.map(escapeText),
    '.RE',
    '.fi',
  ];
}

const formatItem = (name: string, text: string) => ['.TP', `.B ${escapeText(name)}`, escapeText(text)];

/** Hyphens are kept as they are typed. A dot or an apostrophe at the beginning of a line would be a macro. */
const escapeText = (text: string) =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('`', '').replace(/^[.']/, '\\&$&');
