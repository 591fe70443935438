// The tables of docs/reference/commands.md, from the commands themselves.

import { type CommandOption, findOptions } from '../../src/server/commands/help.ts';
import { vitrine } from '../../src/server/commands/index.ts';

const cell = (text: string) => text.replaceAll('|', '\\|');
const code = (text: string) => (text === '' ? '' : `\`${cell(text)}\``);

const table = (names: string[], rows: string[][]) =>
  rows.length === 0
    ? []
    : [
        '',
        ...[names, names.map(() => '-'), ...rows].map((row) =>
          `| ${row.join(' | ')} |`.replaceAll('|  |', '| |'),
        ),
      ];

const optionRow = ({ flag, placeholder, variable, fallback, help }: CommandOption) => [
  code(`--${flag}${placeholder ? ` ${placeholder}` : ''}`),
  code(variable),
  code(fallback),
  cell(help),
];

/** A section for each command: its operands, its subcommands, and its options. */
export const formatCommands = (): string =>
  Object.entries(vitrine.commands)
    .flatMap(([name, command]) => {
      const { usage, help, subcommands = [] } = command;
      const options = findOptions(command).map(optionRow);
      return [
        `## vitrine ${name}`,
        '',
        help,
        ...(usage === name ? [] : ['', `After the name: ${code(usage.slice(name.length + 1))}.`]),
        ...table(
          ['Command', 'What it does'],
          subcommands.map(({ usage, help }) => [code(usage), cell(help)]),
        ),
        ...table(['Option', 'Variable', 'Default', 'What it does'], options),
        '',
      ];
    })
    .join('\n');

/** Without the spaces that align the columns of tables. */
export const withoutAlignment = (text: string): string =>
  text.replaceAll(/ {2,}/g, ' ').replaceAll(/\| -+/g, '| -');
