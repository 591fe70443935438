// `vitrine help`, and what it shares with the completions and the man page.

import type { Command } from './command.ts';

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
export const precedence =
  'Every option has an environment variable, named after it. The option wins over the variable.';

export function findOptions(command: Command): CommandOption[] {
  return Object.values(command.settings).map(({ help, ...option }) => {
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
}

export const takesPath = (placeholder: string) => /\b(FILE|FOLDER|PATH|BACKUP)/.test(placeholder);

export const formatFlag = ({ flag, placeholder }: CommandOption) =>
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

function formatOption(option: CommandOption): string {
  const fallback = option.fallback ? ` Default: ${option.fallback}.` : '';
  return formatRow(formatFlag(option), `${option.help}${fallback} [${option.variable}]`);
}

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
