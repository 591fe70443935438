// Deletes an account and anonymizes its contributor.

import sql, { raw } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { choiceField, type Fields } from '#rest/fields.ts';
import { execute, exists, first, type Transaction } from '#sql';
import { requireOtherAdmin } from '../../core/accounts/change-account.ts';
import { optionalPasswordField } from '../../core/accounts/passwords.ts';
import { allTables } from '../../core/all-tables.ts';
import type { Write } from '../../core/changes/transact.ts';
import { uncountBytes } from '../../core/changes/usage.ts';
import { replaceAvatar } from '../../core/contributors/avatar.ts';
import { contributorColumns, toContributorRow } from '../../core/contributors/contributor.ts';
import { contributorTable } from '../../core/contributors/tables.ts';
import { once } from '../../core/feature.ts';
import { newUuid } from '../address.ts';
import { type ContentChoice, startUpdate } from './contributor-updates.ts';

export const accountDeletionFields = {
  items: choiceField(
    apiText('ownProjects'),
    { keep: apiText('keepProjects'), delete: apiText('deleteProjects') },
    {
      help: apiText('ownProjectsHelp'),
      required: true,
    },
  ),
  password: optionalPasswordField(),
} satisfies Fields;

/** The tables whose rows are deleted, by the columns with the person. A table comes before those to which it refers. */
const deletedRows = once(() =>
  allTables()
    .toReversed()
    .flatMap(({ name, countedBytes, whenOwnerLeaves, deletedWith = [] }) =>
      [...(whenOwnerLeaves === 'deleted' ? ['contributor'] : []), ...deletedWith].map((column) => ({
        name,
        countedBytes,
        column: raw(column),
      })),
    ),
);

declare module '../../core/feature.ts' {
  interface Feature {
    /** For tables with rules of their own, before the rows of the others are deleted. */
    whenAccountDeleted?(write: Write, contributor: number, content: ContentChoice): Promise<void>;
  }
}

const rules = once((features) => features.flatMap(({ whenAccountDeleted = [] }) => whenAccountDeleted));

/** Call `finishUpdates` afterwards. */
export async function deleteAccount(write: Write, id: number, content: ContentChoice): Promise<void> {
  const { transaction, changeSet } = write;
  await requireOtherAdmin(transaction, id);
  for (const whenAccountDeleted of rules()) await whenAccountDeleted(write, id, content);
  for (const { column, ...table } of deletedRows()) {
    const isTheirs = sql`${column} = ${id}`;
    await uncountBytes(write, table, isTheirs);
    await execute(transaction)`delete from ${raw(table.name)} where ${isTheirs}`;
  }
  const contributor = await first(transaction, contributorColumns)`from contributor
    where id = ${id} ${transaction.forUpdate}`;
  if (!contributor) throw new Error(`there is no contributor ${id}`);
  await replaceAvatar(write, id, []);
  const username = await findUnusedUsername(transaction, id);
  const noName = { full_first_name: '', full_last_name: '', shown_name: 'full' as const };
  await transaction.upsert(contributorTable, [toContributorRow({ ...contributor, ...noName, username })]);
  await transaction.waitForChanges();
  await execute(transaction)`update change set record = '' where kind = 'contributor' and subject = ${id}`;
  changeSet.add({ action: 'left', kind: 'contributor', subject: id, owner: id });
  await startUpdate(transaction, id, content);
}

async function findUnusedUsername(transaction: Transaction, id: number): Promise<string> {
  const name = `deleted-${id}`;
  const isUsed = await exists(transaction, sql`from contributor where username = ${name}`);
  return isUsed ? `${name}-${newUuid().slice(0, 6)}` : name;
}
