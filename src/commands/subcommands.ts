// A command with subcommands, such as `user add` and `user list`. All of them open the database.

import { OperatorError } from '../common/errors.ts';
import type { Database } from '../database/database.ts';
import { openGallery } from '../gallery/open.ts';
import {
  pickSettings,
  readSettings,
  type SettingName,
  type Settings,
  UsageError,
} from '../settings/settings.ts';
import type { Command } from './command.ts';

export interface Subcommand<Name extends SettingName> {
  /** For `--help`; those in brackets are optional. */
  readonly operands: string;
  readonly help: string;
  run(database: Database, operands: string[], settings: Settings<Name | 'database'>): Promise<void>;
}

export function commandWithSubcommands<Name extends SettingName = never>(
  name: string,
  help: string,
  examples: readonly string[],
  subcommands: Readonly<Record<string, Subcommand<Name>>>,
  /** Besides the database. */
  moreSettings: readonly Name[] = [],
): Command {
  const definitions = pickSettings<Name | 'database'>(['database', ...moreSettings]);
  return {
    usage: `${name} COMMAND`,
    help,
    examples,
    subcommands: Object.entries(subcommands).map(([subcommandName, { operands, help }]) => ({
      usage: `${subcommandName} ${operands}`.trim(),
      help,
    })),
    settings: definitions,
    async run(args, environment) {
      const { settings, operands: words } = readSettings(definitions, args, environment);
      const [subcommandName = '', ...operands] = words;
      const subcommand = Object.hasOwn(subcommands, subcommandName) ? subcommands[subcommandName] : undefined;
      if (!subcommand) throw new UsageError(`${name} needs one of ${Object.keys(subcommands).join(', ')}.`);
      const operandNames = subcommand.operands.split(' ').filter(Boolean);
      const requiredCount = operandNames.filter((operand) => !operand.includes('[')).length;
      if (operands.length < requiredCount || operands.length > operandNames.length)
        throw new OperatorError(`It is: vitrine ${name} ${subcommandName} ${subcommand.operands}`.trimEnd());
      const database = await openGallery(settings.database);
      try {
        await subcommand.run(database, operands, settings);
      } finally {
        await database.close();
      }
    },
  };
}

/** Aligned columns with their names. */
export function formatTable(names: string[], rows: string[][]): string {
  const lines = [names, ...rows];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))),
  );
  const pad = (text: string, column: number) =>
    text + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(text));
  return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
}
