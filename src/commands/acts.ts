// A command of several acts, such as `user add` and `user list`: each has its operands, all open the database.

import type { Database } from '../database/open.ts';
import { OperatorError } from '../errors.ts';
import { openGallery } from '../gallery/open.ts';
import { readSettings } from '../settings.ts';
import type { Command } from './command.ts';

export interface Act {
  /** What stands behind the act's name. Brackets are left out when operands are counted. */
  readonly operands: string;
  readonly help: string;
  run(database: Database, operands: string[]): Promise<void>;
}

export function commandOf(name: string, help: string, acts: Readonly<Record<string, Act>>): Command {
  return {
    usage: `${name} ${Object.keys(acts).join('|')}`,
    help,
    acts: Object.entries(acts).map(([act, { operands, help }]) => ({
      usage: `${act} ${operands}`.trim(),
      help,
    })),
    settings: ['database'],
    async run(args, environment) {
      const { settings, operands: given } = readSettings(['database'], args, environment);
      const [word = '', ...operands] = given;
      const act = Object.hasOwn(acts, word) ? acts[word] : undefined;
      if (!act)
        throw new OperatorError(`${name} needs one of ${Object.keys(acts).join(', ')}. See vitrine help.`);
      const known = act.operands.split(' ').filter(Boolean);
      const needed = known.filter((operand) => !operand.includes('[')).length;
      if (operands.length < needed || operands.length > known.length)
        throw new OperatorError(`It is: vitrine ${name} ${word} ${act.operands}`.trimEnd());
      const database = await openGallery(settings.database);
      try {
        await act.run(database, operands);
      } finally {
        await database.close();
      }
    },
  };
}

/** Columns that line up, under their names. */
export function table(names: string[], rows: string[][]): string {
  const lines = [names, ...rows];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))),
  );
  const padded = (text: string, column: number) =>
    text + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(text));
  return lines.map((line) => `${line.map(padded).join('  ').trimEnd()}\n`).join('');
}
