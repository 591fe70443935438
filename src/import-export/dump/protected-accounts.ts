// Accounts and keys that an import may not change. A dump that came from somebody else could otherwise make its author
// an admin of a running gallery.

import { join, raw } from 'sql-template-tag';
import { pick, type Table, type Value } from '../../database/columns.ts';
import { all } from '../../database/query.ts';
import { contributorTable } from '../../database/schema.ts';
import type { ContributorLine } from '../../gallery/contributors/contributor-line.ts';
import type { Batch } from './batch.ts';
import type { ImportContext } from './import-context.ts';

const advice = 'Give --replace-accounts if this dump may replace accounts and keys of the gallery.';

const usernames = pick(contributorTable.columns, 'id', 'username');

/** A contributor who has an account keeps the username, with which they sign in. */
export async function protectUsernames(context: ImportContext, batch: Batch<ContributorLine>): Promise<void> {
  if (!context.protectsAccounts) return;
  const ids = batch.map(({ entry }) => entry.id);
  const existing = await all(context.transaction, usernames)`from contributor
    where id in (${join(ids)}) and id in (select contributor from account)`;
  const usernamesById = new Map(existing.map(({ id, username }) => [id, username]));
  for (const { lineNumber, entry } of batch) {
    const username = usernamesById.get(entry.id);
    if (username !== undefined && username !== entry.username)
      context.refuse(lineNumber, `username: ${entry.id} has the account of ${username}. ${advice}`);
  }
}

export interface Protection<Column extends string = string> {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Rows have the same values in these columns already, so that an export can be imported again. */
export async function requireSameRows(
  context: ImportContext,
  batch: Batch<Readonly<Record<string, Value>>>,
  table: Table,
  { name, columns }: Protection,
): Promise<void> {
  if (!context.protectsAccounts) return;
  const [key = 'id'] = table.key;
  const keys = batch.map(({ entry }) => entry[key] ?? null);
  const existing = await all(
    context.transaction,
    pick(table.columns, key, ...columns),
  )`from ${raw(table.name)}
    where ${raw(key)} in (${join(keys)})`;
  const rows = new Map(existing.map((row) => [row[key], row]));
  const verb = key === 'id' ? 'is' : 'has';
  for (const { lineNumber, entry } of batch) {
    const row = rows.get(entry[key]);
    if (!row || columns.some((column) => row[column] !== entry[column]))
      context.refuse(lineNumber, `${key}: ${entry[key]} ${verb} another ${name}, or none. ${advice}`);
  }
}
