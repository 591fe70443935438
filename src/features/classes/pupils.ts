// The accounts that a class has made and looks after. Its teachers, its owner and moderators act on them, and on no
// others: people with an account of their own stay their own.

import sql from 'sql-template-tag';
import { apiText, type Text } from '#common/api-text.ts';
import { Invalid, NotFound } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { readFields } from '#rest/fields.ts';
import { all, count, type Database, execute, first, type Reader, type RowOf } from '#sql';
import { lockAccount } from '../../core/accounts/account.ts';
import {
  disableInTransaction,
  enableInTransaction,
  insertAccount,
  insertContributor,
  updateInTransaction,
} from '../../core/accounts/change-account.ts';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import { deleteSessions } from '../../core/accounts/sessions.ts';
import { accountTable } from '../../core/accounts/tables.ts';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { contributorColumns, usernameKey } from '../../core/contributors/contributor.ts';
import { lookOf } from '../../core/contributors/look-alike-letters.ts';
import { recordDecision } from '../../core/decisions/decision.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { deleteAccount } from '../../projects/people/delete.ts';
import { changeNames } from '../../projects/people/rename.ts';
import { type Project, type ProjectRow, shownColumns } from '../../projects/project.ts';
import { newestFirst } from '../../projects/project-order.ts';
import { isCollectionSql, type ProjectAddress, readableBy } from '../../projects/visibility/visible-to.ts';
import { lockReadableProject } from '../../projects/writing/changeable.ts';
import { type Collection, canArrange, requireCollection } from '../collections/items.ts';
import { collectionPersonTable } from '../collections/tables.ts';
import { passwordLinkFor } from '../sign-in/password-link.ts';
import { findUsernameProblem, newUsernameField, toUsername } from '../sign-in/sign-up.ts';
import { type Card, createCards } from './cards.ts';

export const maxClassAccounts = 60;

/** The row of the class, for those who look after it; others do not find it. */
export async function lockClass(write: WriteContext, address: ProjectAddress): Promise<ProjectRow> {
  const collection = requireCollection(await lockReadableProject(write, address));
  if (collection.kind !== 'class' || !canArrange(write.viewer, collection)) throw new NotFound();
  return collection;
}

const pupilColumns = {
  ...contributorColumns,
  disabled: accountTable.columns.disabled,
};
export type Pupil = RowOf<typeof pupilColumns>;

/** By username. */
export const listPupils = (reader: Reader, { id }: Pick<Collection, 'id'>): Promise<Pupil[]> => all(
  reader,
  pupilColumns,
)`
  from account join contributor on contributor.id = account.contributor
  where looked_after_by = ${id} order by username_key`;

export async function findPupil(
  reader: Reader,
  { id }: Pick<Collection, 'id'>,
  contributor: number,
): Promise<Pupil> {
  const pupil = await first(reader, pupilColumns)`from account
    join contributor on contributor.id = account.contributor
    where looked_after_by = ${id} and account.contributor = ${contributor}`;
  if (!pupil) throw new NotFound();
  return pupil;
}

/** `consent` is the hash of the wording to which the teacher has agreed. All that is wrong is said at once. */
export async function makeAccounts(
  write: WriteContext,
  address: ProjectAddress,
  names: readonly string[],
  consent: string,
): Promise<Card[]> {
  const { transaction, changeSet, viewer } = write;
  const { id } = await lockClass(write, address);
  const moderator = requireSignedIn(viewer);
  if (names.length === 0) throw new Invalid({ names: [apiText('required')] });
  const existing = await count(transaction, sql`from account where looked_after_by = ${id}`);
  if (existing + names.length > maxClassAccounts)
    throw new Invalid({ names: [apiText('maxPupils', { max: maxClassAccounts })] });
  // Two classes that make accounts at once get no names that look alike.
  await transaction.lockChangeLog();
  const usernames = await readUsernames(transaction, names);
  const cards: Card[] = [];
  for (const username of usernames) {
    const contributor = await insertContributor(
      write,
      { username, first_name: '', last_name: '' },
      'username',
    );
    await insertAccount(write, contributor, 'contributor', null, id);
    await transaction.insert(collectionPersonTable, [{ collection: id, contributor, role: 'member' }]);
    await recordDecision(write, {
      moderator,
      contributor,
      project: id,
      action: 'consented',
      reason: consent,
    });
    cards.push(await createCards(transaction, { id: contributor, username }, changeSet.at));
  }
  changeSet.add({ kind: 'collection_person', action: 'set', subject: id, owner: moderator });
  return cards;
}

async function readUsernames(reader: Reader, names: readonly string[]): Promise<string[]> {
  const problems: Text[] = [];
  const looks = new Set<string>();
  const usernames: string[] = [];
  for (const name of names) {
    const refuse = (reason: Text) => problems.push(apiText('pupilName', { name, reason }));
    try {
      const username = newUsernameField.read(toUsername(name));
      const look = lookOf(usernameKey(username));
      const problem = looks.has(look) ? apiText('nameTwice') : await findUsernameProblem(reader, username);
      if (problem) refuse(problem);
      looks.add(look);
      usernames.push(username);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      refuse(error.text);
    }
  }
  if (problems.length > 0) throw new Invalid({ names: problems });
  return usernames;
}

/** Locks the class and finds the account that it looks after. */
async function findOwnPupil(write: WriteContext, address: ProjectAddress, contributor: number) {
  const collection = await lockClass(write, address);
  const pupil = await findPupil(write.transaction, collection, contributor);
  return { pupil, decision: { moderator: requireSignedIn(write.viewer), contributor } };
}

/** For a child who has forgotten or lost the card. Whoever has the old one is signed out. */
export async function renewCard(
  write: WriteContext,
  address: ProjectAddress,
  contributor: number,
): Promise<Card> {
  const { pupil, decision } = await findOwnPupil(write, address, contributor);
  const { transaction, changeSet } = write;
  // A session that begins now waits, and finds the new card.
  await lockAccount(transaction, contributor);
  await deleteSessions(transaction, contributor);
  changeSet.add({ kind: 'account', action: 'password_link', subject: contributor, owner: contributor });
  await recordDecision(write, { ...decision, action: 'password_link' });
  return createCards(transaction, pupil, changeSet.at);
}

/** Call `finishUpdates` afterwards. */
export async function renamePupil(
  write: WriteContext,
  address: ProjectAddress,
  contributor: number,
  name: string,
): Promise<void> {
  const { pupil, decision } = await findOwnPupil(write, address, contributor);
  const { username } = readFields({ username: newUsernameField }, { username: toUsername(name) });
  if (username === pupil.username) return;
  const problem = await findUsernameProblem(write.transaction, username, contributor);
  if (problem) throw new Invalid({ username: [problem] });
  await changeNames(write, contributor, { username }, false);
  await recordDecision(write, { ...decision, action: 'renamed' });
}

export async function setPupilState(
  write: WriteContext,
  address: ProjectAddress,
  contributor: number,
  isEnabled: boolean,
): Promise<void> {
  const { pupil, decision } = await findOwnPupil(write, address, contributor);
  if ((pupil.disabled === null) === isEnabled) return;
  await (isEnabled ? enableInTransaction : disableInTransaction)(write, decision);
}

/** The account becomes the person's own. Returns the code of the link with which they choose a password. */
export async function releasePupil(
  write: WriteContext,
  address: ProjectAddress,
  contributor: number,
): Promise<string> {
  const { decision } = await findOwnPupil(write, address, contributor);
  const { transaction } = write;
  await updateInTransaction(write, contributor, 'released', sql`looked_after_by = null`);
  await execute(transaction)`delete from account_card where contributor = ${contributor}`;
  await deleteSessions(transaction, contributor);
  await recordDecision(write, { ...decision, action: 'released' });
  return passwordLinkFor(write, contributor);
}

/** With all that they have made. Call `finishUpdates` afterwards. */
export async function erasePupil(
  write: WriteContext,
  address: ProjectAddress,
  contributor: number,
): Promise<void> {
  const { decision } = await findOwnPupil(write, address, contributor);
  await recordDecision(write, { ...decision, action: 'erased' });
  await deleteAccount(write, contributor, 'delete');
}

/** A parent ends the account, with all that the child has made. Call `finishUpdates` afterwards. */
export async function endByGuardian(write: Write, contributor: number): Promise<void> {
  await lockAccount(write.transaction, contributor);
  if (!(await isLookedAfter(write.transaction, contributor))) throw new NotFound();
  await recordDecision(write, { moderator: null, contributor, action: 'erased', reason: 'guardian' });
  await deleteAccount(write, contributor, 'delete');
}

/** For moderators, the newest first. */
export const listClasses = (database: Database, viewer: Viewer): TableListing<Project> =>
  new TableListing(database, {
    table: 'project',
    columns: shownColumns,
    condition: sql`${isCollectionSql} and kind = 'class' and ${readableBy(viewer)}`,
    order: newestFirst,
  });

/** Throws NotFound unless the viewer looks after the class. */
export function requireTeacher(viewer: Viewer, collection: Collection): void {
  if (collection.kind !== 'class' || !canArrange(viewer, collection)) throw new NotFound();
}
