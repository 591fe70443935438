// `vitrine help`, and what it shares with the completions and the man page.

import { version } from '../../../package.json';
import { type Command, defineCommand } from '../../core/commands/command.ts';

export type Commands = Readonly<Record<string, Command>>;

/** What a person starts: a name, and its commands. */
export interface Program {
  readonly name: string;
  readonly introduction: string;
  readonly commands: Commands;
}

export interface CommandOption {
  readonly flag: string;
  /** Stands for the value; a switch has none. */
  readonly placeholder?: string;
  /** The words that the value can be; none if it is another text. */
  readonly choices: readonly string[];
  readonly isPath: boolean;
  readonly help: string;
  readonly fallback: string;
  readonly variable: string;
}

const lineWidth = 80;
const columnStart = 28;

export const introduction = 'Vitrine, a gallery server for community projects.';
const precedence =
  'Every option has an environment variable, named after it. The option wins over the variable.';

export const findOptions = (command: Command): CommandOption[] =>
  Object.values(command.settings).map(({ help, ...option }) => {
    const { placeholder = '', fallback } = option;
    return {
      ...option,
      // Which command it is for is clear here.
      help: help.replace(/^With `.*?`: (.)/, (_, letter: string) => letter.toUpperCase()),
      fallback: placeholder === '' ? '' : fallback,
      choices: /^[a-z|]+$/.test(placeholder) ? placeholder.split('|') : [],
      isPath: takesPath(placeholder),
    };
  });

export const takesPath = (placeholder: string) => /\b(FILE|FOLDER|PATH|BACKUP)/.test(placeholder);

const formatFlag = ({ flag, placeholder }: CommandOption) =>
  `--${flag}${placeholder ? ` ${placeholder}` : ''}`;

export function formatHelp({ name, introduction, commands }: Program): string {
  const rows = Object.values(commands).map(({ usage, help }) => formatRow(`${name} ${usage}`, help));
  const end = `\`${name} help COMMAND\` shows the options of a command. ${precedence}`;
  return [introduction, '', ...rows, '', wrap(end, lineWidth).join('\n')].join('\n');
}

export function formatCommandHelp({ name }: Program, command: Command): string {
  const { usage, help, subcommands = [], examples } = command;
  const options = findOptions(command);
  const section = (title: string, rows: string[]) => (rows.length ? ['', `${title}:`, ...rows] : []);
  return [
    ...wrap(`Usage: ${name} ${usage}${options.length ? ' [OPTION…]' : ''}`, lineWidth),
    '',
    ...wrap(help, lineWidth),
    ...section(
      'Commands',
      subcommands.map((subcommand) => formatRow(subcommand.usage, subcommand.help)),
    ),
    ...section('Options', options.map(formatOption)),
    ...section(
      'Examples',
      examples.map((example) => `  ${example}`),
    ),
  ].join('\n');
}

const describeOption = ({ help, fallback }: CommandOption) =>
  `${help}${fallback ? ` Default: ${fallback}.` : ''}`;

const formatOption = (option: CommandOption) =>
  formatRow(formatFlag(option), `${describeOption(option)} [${option.variable}]`);

/** Two columns. A long name has a line of its own. */
function formatRow(name: string, text: string): string {
  const [first = '', ...rest] = wrap(text, lineWidth - columnStart);
  const indent = ' '.repeat(columnStart);
  const start = `  ${name}`;
  const lines =
    start.length + 2 > columnStart ? [start, indent + first] : [start.padEnd(columnStart) + first];
  return [...lines, ...rest.map((line) => indent + line)].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

// The man page, from the table of commands and settings, in the macros of man(7).

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

const formatManual = (commands: Commands): string =>
  [
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

function formatCommand(command: Command): string[] {
  const { usage, help, subcommands = [], examples } = command;
  return [
    `.SS ${escapeText(`vitrine ${usage}`)}`,
    escapeText(help),
    ...subcommands.flatMap((subcommand) => formatItem(subcommand.usage, subcommand.help)),
    ...findOptions(command).flatMap((option) =>
      formatItem(formatFlag(option), `${describeOption(option)} Environment variable: ${option.variable}.`),
    ),
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
