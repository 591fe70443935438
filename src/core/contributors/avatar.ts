// A contributor's avatar: an uploaded picture, cut to a square and stored in two sizes. It stands beside every name, so it
// is as public as the names.

import sql, { join } from 'sql-template-tag';
import { all, type Database, first, integer, pick, type Reader, type RowOf, type Transaction } from '#sql';
import type { Write } from '../changes/transact.ts';
import { adjustFileUsage, countBytes } from '../changes/usage.ts';
import type { WriteContext } from '../changes/write.ts';
import { inBatches } from '../chunks.ts';
import { encodeSquares } from '../files/picture.ts';
import { preparePicture } from '../files/prepare.ts';
import { deleteReferences, isAnyMissing } from '../files/references.ts';
import type { FileStore } from '../files/store.ts';
import type { ServedFile } from '../files/stored-files.ts';
import { authorizeAny } from '../viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../viewer/viewer.ts';
import { lockContributor } from './find-contributors.ts';
import { avatarSizeTable } from './tables.ts';

/** Beside names, and on the contributor's own page: each sharp on screens with two or three pixels for one. */
const sides = [64, 256];

const sizeColumns = pick(avatarSizeTable.columns, 'width', 'hash', 'bytes');

export type AvatarSize = Readonly<RowOf<typeof sizeColumns>>;

/** Stores the bytes. If no row refers to them afterwards, they are deleted a day later. */
export async function prepareAvatar(
  deps: { readonly database: Database; readonly files: FileStore },
  viewer: Viewer,
  file: File,
): Promise<AvatarSize[]> {
  authorizeAny(viewer, 'changeAccount');
  return preparePicture(deps, viewer, 'file', file, (bytes, contributor) =>
    encodeSquares(bytes, contributor, sides),
  );
}

/** Gives the viewer this avatar; without sizes, none. */
export async function changeAvatar(write: WriteContext, sizes: readonly AvatarSize[]): Promise<void> {
  const { viewer } = write;
  authorizeAny(viewer, 'changeAccount');
  await replaceAvatar(write, requireSignedIn(viewer), sizes);
}

export async function replaceAvatar(
  { transaction, changeSet }: Write,
  contributor: number,
  sizes: readonly AvatarSize[],
): Promise<void> {
  await lockContributor(transaction, contributor);
  const before = await loadAvatar(transaction, contributor);
  await deleteAvatars(transaction, [contributor]);
  const rows = sizes.map(({ width, hash, bytes }) => ({ contributor, width, hash, bytes }));
  if (rows.length) await transaction.insert(avatarSizeTable, rows);
  adjustFileUsage(changeSet, contributor, countBytes([{ sizes }]) - countBytes([{ sizes: before }]));
  changeSet.add({ kind: 'avatar', action: 'changed', subject: contributor });
}

export async function deleteAvatars(transaction: Transaction, contributors: readonly number[]) {
  await deleteReferences(transaction, 'avatar_size', sql`contributor in (${join([...contributors])})`);
}

/** Smallest first; none without an avatar. */
export const loadAvatar = (reader: Reader, contributor: number): Promise<AvatarSize[]> =>
  all(reader, sizeColumns)`from avatar_size where contributor = ${contributor} order by width`;

const batchSize = 500;
const contributorColumn = { contributor: integer(sql`distinct contributor`) };

/** All avatars, ordered by contributor. */
export async function* iterateAvatars(
  reader: Reader,
): AsyncGenerator<{ readonly contributor: number; readonly sizes: readonly AvatarSize[] }> {
  const load = (last?: { contributor: number }) => all(reader, contributorColumn)`from avatar_size
    where contributor > ${last?.contributor ?? 0} order by contributor limit ${batchSize}`;
  for await (const rows of inBatches(load))
    for (const { contributor } of rows) yield { contributor, sizes: await loadAvatar(reader, contributor) };
}

export async function findContributorsWithMissingAvatar(database: Database, files: FileStore) {
  const contributors: number[] = [];
  for await (const { contributor, sizes } of iterateAvatars(database))
    if (await isAnyMissing(files, sizes)) contributors.push(contributor);
  return contributors;
}

/** The file that is served for an avatar that somebody has now. */
export async function findAvatarFile(reader: Reader, hash: string): Promise<ServedFile | undefined> {
  const size = await first(reader, sizeColumns)`from avatar_size where hash = ${hash} limit 1`;
  return size && { type: 'image/webp', name: 'avatar.webp', bytes: size.bytes, openness: 'public' };
}
