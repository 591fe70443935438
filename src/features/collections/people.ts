// The people who have a part in a collection: the editors of one, the teachers and members of a class.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid, NotFound } from '#common/errors.ts';
import { all, count, execute, exists, first, pick, type Reader, type RowOf } from '#sql';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { contributorColumns } from '../../core/contributors/contributor.ts';
import { isFindableBy } from '../../core/contributors/find-contributors.ts';
import { removed } from '../../core/project-status.ts';
import { isReviewerOf } from '../../core/reviewers.ts';
import { authorize, can } from '../../core/viewer/permissions.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { ProjectRow } from '../../projects/project.ts';
import { isPublicSql, type ProjectAddress } from '../../projects/visibility/visible-to.ts';
import { lockReadableProject } from '../../projects/writing/changeable.ts';
import { type Collection, canArrange, collectionLimits, requireCollection } from './items.ts';
import type { CollectionRole } from './memberships.ts';
import { saveArrangement } from './notes.ts';
import { collectionPersonTable } from './tables.ts';

const personColumns = {
  ...contributorColumns,
  role: collectionPersonTable.columns.role.narrow<CollectionRole>(),
};
export type CollectionPerson = RowOf<typeof personColumns>;

/** By name. */
export const listPeople = (reader: Reader, { id }: Pick<Collection, 'id'>): Promise<CollectionPerson[]> =>
  all(
    reader,
    personColumns,
  )`from collection_person join contributor on contributor.id = collection_person.contributor
    where collection = ${id} order by role, last_name_key, contributor.id`;

/** Only its people and moderators know who is in a class. */
export const canSeePeople = (viewer: Viewer, { id, kind, contributor }: Collection): boolean =>
  kind !== 'class' ||
  can(viewer, 'changeProject', contributor) ||
  viewer.memberships?.some(({ collection }) => collection === id) === true;

const roleColumn = pick(collectionPersonTable.columns, 'role');

const idColumn = { contributor: collectionPersonTable.columns.contributor };

/** The owner, and those who arrange it with them. */
export async function listArrangers(
  reader: Reader,
  { id, contributor }: Pick<ProjectRow, 'id' | 'contributor'>,
): Promise<number[]> {
  const people = await all(reader, idColumn)`from collection_person
    where collection = ${id} and role <> 'member'`;
  return [contributor, ...people.map((person) => person.contributor)];
}

/** Nobody else writes to a child through its collections, and a child names nobody. */
export const isOfChild = async (
  reader: Reader,
  { lookedAfterBy }: Viewer,
  { contributor }: Pick<ProjectRow, 'contributor'>,
) => lookedAfterBy !== undefined || isLookedAfter(reader, contributor);

/** The owner and moderators choose the editors. */
export async function setPerson(
  write: WriteContext,
  address: ProjectAddress,
  contributor: number,
  role: CollectionRole,
): Promise<void> {
  const { transaction, viewer } = write;
  const collection = await lockOwnCollection(write, address);
  const isRefused =
    role === 'editor' ? await isOfChild(transaction, viewer, collection) : viewer.lookedAfterBy !== undefined;
  if (isRefused) throw new Forbidden(apiText('lookedAfter'));
  if ((role === 'editor') === (collection.kind === 'class'))
    throw new Invalid({ role: [apiText('notChoice', { value: role })] });
  // Nobody learns here who has an account, and no child becomes an editor or a teacher.
  const isFindable = sql`from contributor where id = ${contributor} and ${isFindableBy(viewer)}
    and exists (select 1 from account where account.contributor = id)`;
  const isChild =
    (await isLookedAfter(transaction, contributor)) && !(await mayPlace(write, role, contributor));
  if (isChild || !(await exists(transaction, isFindable))) throw new NotFound();
  if (contributor === collection.contributor) throw new Invalid({ contributor: [apiText('ownerArranges')] });
  const others = sql`from collection_person
    where collection = ${collection.id} and role = 'editor' and contributor <> ${contributor}`;
  if (role === 'editor' && (await count(transaction, others)) >= collectionLimits.editors)
    throw new Invalid({ non_field_errors: [apiText('maxEditors', { max: collectionLimits.editors })] });
  await transaction.upsert(collectionPersonTable, [{ collection: collection.id, contributor, role }]);
  recordPerson(write, collection, contributor, 'set');
}

/** Its own teachers, and moderators, put a child into another class: what is written there reaches it. */
const mayPlace = async ({ transaction, viewer }: WriteContext, role: CollectionRole, child: number) =>
  role === 'member' && (viewer.isModerator || (await isReviewerOf(transaction, viewer, child)));

/** People can also leave by themselves, and teachers take members out. */
export async function removePerson(write: WriteContext, address: ProjectAddress, contributor: number) {
  const { transaction, viewer } = write;
  const collection = requireCollection(await lockReadableProject(write, address));
  const isPerson = sql`collection = ${collection.id} and contributor = ${contributor}`;
  const person = await first(transaction, roleColumn)`from collection_person where ${isPerson}`;
  const mayRemove =
    contributor === viewer.contributor ||
    can(viewer, 'changeProject', collection.contributor) ||
    (person?.role === 'member' && canArrange(viewer, collection));
  if (!mayRemove) throw new Forbidden();
  // Only a teacher lets a child go.
  if (viewer.lookedAfterBy === collection.id) throw new Forbidden(apiText('lookedAfter'));
  if (!person) throw new NotFound();
  const isItsChild = sql`from account where contributor = ${contributor} and looked_after_by = ${collection.id}`;
  if (await exists(transaction, isItsChild)) throw new Forbidden(apiText('releaseChild'));
  await execute(transaction)`delete from collection_person where ${isPerson}`;
  if (collection.kind === 'class') await withdrawItems(write, collection, contributor);
  recordPerson(write, collection, contributor, 'removed');
}

/** Takes their works out of the class; if they come back, they can put them in again. */
async function withdrawItems(
  write: WriteContext,
  collection: ProjectRow,
  contributor: number,
): Promise<void> {
  const isIncluded = sql`collection = ${collection.id} and state = 'included'`;
  const isPublicChange = await exists(
    write.transaction,
    sql`from collection_item join project on project.id = project where ${isIncluded}
      and contributor = ${contributor} and ${isPublicSql('project')}`,
  );
  await execute(write.transaction)`update collection_item set state = 'withdrawn'
    where ${isIncluded} and project in (select id from project where contributor = ${contributor})`;
  await saveArrangement(write, collection, isPublicChange);
}

async function lockOwnCollection(write: WriteContext, address: ProjectAddress): Promise<ProjectRow> {
  const collection = requireCollection(await lockReadableProject(write, address));
  if (!can(write.viewer, 'changeProject', collection.contributor)) throw new Forbidden();
  if (collection.status === removed) authorize(write.viewer, 'removeProject', collection.contributor);
  return collection;
}

function recordPerson(
  { changeSet }: WriteContext,
  { id }: ProjectRow,
  contributor: number,
  action: 'set' | 'removed',
): void {
  changeSet.add({ kind: 'collection_person', action, subject: id, owner: contributor });
}
