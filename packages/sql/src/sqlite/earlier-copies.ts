// Copies of a file as it was before a migration: beside it, for two weeks. They hold what has been erased since.

import fs, {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '../../../common/src/errors.ts';
import { createPrivateFile } from '../../../common/src/private-files.ts';
import { formatMegabytes } from '../inspection.ts';
import { openConnection } from './connection.ts';

const keptDays = 14;
const dayMs = 24 * 60 * 60_000;
/** Beside the copy, the migration needs room too. */
const minFreeBytes = 10_000_000;

export interface EarlierCopy {
  readonly path: string;
  readonly bytes: number;
  /** When it is deleted. */
  readonly endsAt: Date;
}

const unfinished = '-unfinished';

/** Copies the file while nobody else writes to it, and returns a sentence about the copy. */
export function copyBeforeMigration(path: string, schema: number): string {
  const copy = `${path}.schema-${schema}`;
  requireRoom(path);
  rmSync(copy + unfinished, { force: true });
  createPrivateFile(copy + unfinished);
  // A connection that only reads cannot write the copy.
  const connection = openConnection(path, { readwrite: true });
  try {
    connection.query('vacuum into ?').run(copy + unfinished);
  } finally {
    connection.close();
  }
  const file = openSync(copy + unfinished, 'r+');
  fsyncSync(file);
  closeSync(file);
  renameSync(copy + unfinished, copy);
  return `The file of before is ${copy}; it is deleted after ${keptDays} days.`;
}

function requireRoom(path: string): void {
  const { blocks, bavail, bsize } = fs.statfsSync(dirname(path));
  const needed = statSync(path).size + minFreeBytes;
  if (blocks > 0 && bavail * bsize < needed)
    throw new OperatorError(
      `The disk of the database ${path} has ${formatMegabytes(bavail * bsize)} free, and a copy before the migration needs ${formatMegabytes(needed)}: make room, or make a backup elsewhere and give --no-copy.`,
    );
}

export function findEarlierCopies(path: string): EarlierCopy[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const pattern = new RegExp(`^\\.schema-\\d+(${unfinished})?$`);
  return readdirSync(folder)
    .filter((name) => name.startsWith(basename(path)) && pattern.test(name.slice(basename(path).length)))
    .map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name));
      return { path: join(folder, name), bytes: size, endsAt: new Date(mtimeMs + keptDays * dayMs) };
    });
}

export function deleteOldCopies(path: string): void {
  for (const { path: copy, endsAt } of findEarlierCopies(path))
    if (endsAt.getTime() <= Date.now()) rmSync(copy, { force: true });
}
