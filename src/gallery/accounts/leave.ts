// Somebody goes, and takes with them what says who they were.

import sql, { raw } from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { contributorTable } from '../../database/schema.ts';
import { choiceField, type Fields } from '../../fields.ts';
import type { ChangeSet } from '../changes/transact.ts';
import { type Contributor, usernameKey } from '../contributors/contributor.ts';
import { renamed } from '../contributors/renamed.ts';
import { erase } from '../projects/erase.ts';
import { locked } from '../projects/store.ts';
import { newUuid } from '../projects/uuid.ts';
import { isErased } from '../projects/visible.ts';
import { withdrawRatings } from '../ratings/rate.ts';
import { passwordGiven } from './passwords.ts';

/** What becomes of what they made: it stays under a name without a person, or goes too. */
export const afterwards = ['keep', 'delete'] as const;
type Afterwards = (typeof afterwards)[number];

export const leavingFields = {
  items: choiceField(
    'Items',
    { 'keep them under a name without a person': 'keep', 'delete them': 'delete' },
    {
      help: `What becomes of what you made: ${afterwards.join(' or ')}. What is private or a draft goes in any case.`,
      required: true,
    },
  ),
  password: { ...passwordGiven('Password'), required: false, help: 'Yours, if you have one.' },
} satisfies Fields;

const atOnce = 500;

export async function leave(
  transaction: Transaction,
  changeSet: ChangeSet,
  id: number,
  items: Afterwards,
): Promise<void> {
  for (const table of ['session', 'api_key', 'account', 'idempotency'])
    await transaction.run(sql`delete from ${raw(table)} where contributor = ${id}`);
  // What nobody else could see would be lost in any case.
  const going = items === 'delete' ? sql`1 = 1` : sql`(visibility = 'private' or status not in (1, 2))`;
  for (let gone = atOnce; gone === atOnce; ) {
    const some = await locked(
      transaction,
      sql`id in (select id from project where contributor = ${id} and not ${isErased} and ${going} limit ${atOnce})`,
    );
    await erase(transaction, changeSet, some);
    gone = some.length;
  }
  if (items === 'delete') {
    await withdrawRatings(transaction, changeSet, id);
    await transaction.run(sql`delete from report where contributor = ${id}`);
  }
  const [person] = await transaction.all<Contributor>(
    sql`select id, username, first_name, last_name, created from contributor where id = ${id} ${transaction.forUpdate}`,
  );
  if (!person) throw new Error(`there is no contributor ${id}`);
  const nobody = { ...person, username: await freeName(transaction, id), first_name: '', last_name: '' };
  await transaction.put(contributorTable, [
    [id, nobody.username, '', '', '', person.created, usernameKey(nobody.username)],
  ]);
  await renamed(transaction, nobody, changeSet.at);
  await transaction.run(sql`update change set record = '' where kind = 'contributor' and subject = ${id}`);
  changeSet.add({ action: 'left', kind: 'contributor', subject: id, owner: id });
}

async function freeName(transaction: Transaction, id: number): Promise<string> {
  const name = `deleted-${id}`;
  const taken = await transaction.first(sql`select id from contributor where username = ${name}`);
  return taken ? `${name}-${newUuid().slice(0, 6)}` : name;
}
