// The link by which people with an account of their own join a class. They stay their own, and can leave.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Forbidden, NotFound } from '#common/errors.ts';
import { execute, exists, first, pick, type Reader } from '#sql';
import { hashSecret, newSecret } from '../../core/accounts/secret.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { type Project, projectColumns, shownColumns } from '../../projects/project.ts';
import type { ProjectAddress } from '../../projects/visibility/visible-to.ts';
import { isForMembers } from '../collections/memberships.ts';
import { collectionPersonTable } from '../collections/tables.ts';
import { lockClass } from './pupils.ts';
import { classLinkTable } from './tables.ts';

/** The secret of a new link. The one before ends. */
export async function createJoinLink(write: WriteContext, address: ProjectAddress): Promise<string> {
  const { id } = await lockClass(write, address);
  const secret = newSecret();
  await write.transaction.upsert(classLinkTable, [{ collection: id, hash: hashSecret(secret) }]);
  return secret;
}

export async function endJoinLink(write: WriteContext, address: ProjectAddress): Promise<void> {
  const { id } = await lockClass(write, address);
  await execute(write.transaction)`delete from class_link where collection = ${id}`;
}

export const hasJoinLink = (reader: Reader, { id }: Pick<Project, 'id'>): Promise<boolean> =>
  exists(reader, sql`from class_link where collection = ${id}`);

const isOfSecret = (
  secret: string,
) => sql`id = (select collection from class_link where hash = ${hashSecret(secret)})
  and ${isForMembers}`;

/** The class of the link; throws NotFound if it has ended. */
export async function findByJoinLink(reader: Reader, secret: string): Promise<Project> {
  const found = await first(reader, shownColumns)`from project where ${isOfSecret(secret)}`;
  if (!found) throw new NotFound();
  return found;
}

const idColumn = pick(projectColumns, 'id');

/** A teacher stays a teacher. */
export async function joinClass(
  { transaction, changeSet, viewer }: WriteContext,
  secret: string,
): Promise<void> {
  const contributor = requireSignedIn(viewer);
  // Its teachers put a child into another class.
  if (viewer.lookedAfterBy !== undefined) throw new Forbidden(apiText('lookedAfter'));
  const found = await first(transaction, idColumn)`from project where ${isOfSecret(secret)}`;
  if (!found) throw new NotFound();
  const row = { collection: found.id, contributor, role: 'member' };
  await transaction.insertMissing(collectionPersonTable, [row]);
  changeSet.add({ kind: 'collection_person', action: 'set', subject: found.id, owner: contributor });
}
