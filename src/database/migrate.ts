// Brings a database to the newest schema, one numbered step after another, in one transaction that the caller
// has already made exclusive: of two processes that start at once, the second finds nothing left to do.

import sql, { raw } from 'sql-template-tag';
import { OperatorError } from '../errors.ts';
import { gallery } from './migrations/0001-gallery.ts';
import { search } from './migrations/0002-search.ts';
import { writing } from './migrations/0003-writing.ts';
import { files } from './migrations/0004-files.ts';
import { moderation } from './migrations/0005-moderation.ts';
import type { Reader, Transaction } from './open.ts';

/** The words in which the two databases differ when tables are made. */
export interface Dialect {
  readonly integer: string;
  /** Text that compares by code point. */
  readonly text: string;
  /** The primary key of things that people make: given out in rising order, never twice. */
  readonly identity: string;
  /** Makes `project_search`, which `Database.search` looks into. */
  readonly searchTable: readonly string[];
}

export interface Migration {
  readonly name: string;
  statements(dialect: Dialect): string[];
  /** What must be filled from what is stored, when all tables are as the code knows them. */
  readonly rebuild?: keyof Rebuilds;
}

/** Fills what statements alone cannot, and what this layer does not know how to make. */
export interface Rebuilds {
  search(transaction: Transaction): Promise<void>;
}

const migrations: readonly Migration[] = [gallery, search, writing, files, moderation];

/** Nothing is left to do; asked before anything is locked, as a long import may hold the lock. */
export async function isCurrent(reader: Reader): Promise<boolean> {
  const last = await reader.first<{ number: number | null }>(
    sql`select max(number) as number from migration`,
  );
  return last?.number === migrations.length;
}

export async function migrate(transaction: Transaction, dialect: Dialect, rebuilds: Rebuilds): Promise<void> {
  await transaction.run(
    raw(
      `create table if not exists migration (number ${dialect.integer} primary key, name ${dialect.text} not null)`,
    ),
  );
  const last = await transaction.first<{ number: number | null }>(
    sql`select max(number) as number from migration`,
  );
  const applied = last?.number ?? 0;
  if (applied > migrations.length) {
    throw new OperatorError(
      `The database has schema ${applied}, this version of Vitrine knows up to ${migrations.length}: start a newer version.`,
    );
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue;
    for (const statement of migration.statements(dialect)) await transaction.run(raw(statement));
    await transaction.run(sql`insert into migration (number, name) values (${index + 1}, ${migration.name})`);
  }
  const rebuildNames = new Set(migrations.slice(applied).map(({ rebuild }) => rebuild));
  for (const refill of rebuildNames) if (refill) await rebuilds[refill](transaction);
}
