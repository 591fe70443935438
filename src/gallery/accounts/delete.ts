// Deletes an account and anonymizes its contributor.

import sql, { raw } from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { choiceField, type Fields } from '../../common/fields.ts';
import { allTables } from '../../database/all-tables.ts';
import type { Transaction } from '../../database/database.ts';
import { execute, exists, first } from '../../database/query.ts';
import { contributorTable } from '../../database/schema.ts';
import type { Write } from '../changes/transact.ts';
import { contributorColumns, toContributorRow } from '../contributors/contributor.ts';
import { replaceAvatar } from '../profiles/avatar.ts';
import { newUuid } from '../projects/address.ts';
import { deleteWebhooks } from '../webhooks/write.ts';
import { requireOtherAdmin } from './change.ts';
import { type ContentChoice, startUpdate } from './contributor-updates.ts';
import { optionalPasswordField } from './passwords.ts';

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

/** A table comes before those to which it refers. */
const deletedTables = allTables.filter(({ whenOwnerLeaves }) => whenOwnerLeaves === 'deleted').toReversed();

/** Call `finishUpdates` afterwards. */
export async function deleteAccount(write: Write, id: number, content: ContentChoice): Promise<void> {
  const { transaction, changeSet } = write;
  await requireOtherAdmin(transaction, id);
  await deleteWebhooks(transaction, sql`contributor = ${id}`);
  for (const { name } of deletedTables)
    await execute(transaction)`delete from ${raw(name)} where contributor = ${id}`;
  await execute(transaction)`delete from followed_contributor where followed = ${id}`;
  await execute(transaction)`delete from invitation where created_by = ${id}`;
  if (content === 'delete')
    await execute(transaction)`update collection_item set note = '', note_waits = 0 where noted_by = ${id}`;
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
