// Writes the rows of files.

import sql, { join } from 'sql-template-tag';
import type { Database, Transaction } from '../../database/database.ts';
import { mediaSizeTable, mediaTable } from '../../database/schema.ts';
import type { FileStore } from '../../files/store.ts';
import { iterateMedia, loadMedia, queryMedia } from './find.ts';
import type { Media, Size } from './media.ts';

export async function insertMedia(transaction: Transaction, media: readonly Media[]): Promise<void> {
  await transaction.insert(mediaTable, media);
  await transaction.insert(
    mediaSizeTable,
    media.flatMap(({ project, number, sizes }) => sizes.map((size) => ({ project, number, ...size }))),
  );
}

/** Gives another project the same files, without copying bytes. Their origin is where they were uploaded. */
export async function copyMedia(transaction: Transaction, from: number, to: number): Promise<Media[]> {
  const media = (await loadMedia(transaction, [from])).get(from) ?? [];
  const copies = media.map((file) => ({ ...file, project: to, origin: file.origin ?? from }));
  await insertMedia(transaction, copies);
  return copies;
}

/** The sweep deletes the bytes when no file refers to them any more. */
export async function deleteMedia(transaction: Transaction, projects: readonly number[]): Promise<void> {
  for (const table of [sql`media_size`, sql`media`])
    await transaction.run(sql`delete from ${table} where project in (${join([...projects])})`);
}

/** All files of the project, with those that were withdrawn from a copy: they keep their places until the sweep. */
export const loadProjectMedia = async (transaction: Transaction, project: number): Promise<Media[]> =>
  (await queryMedia(transaction, sql`media.project = ${project}`)).get(project) ?? [];

// Finds files whose bytes are missing. Only a backup can restore them.

export async function findProjectsWithMissingFiles(database: Database, files: FileStore): Promise<number[]> {
  const projects = new Set<number>();
  for await (const { project, sizes } of iterateMedia(database))
    if (await isAnyMissing(files, sizes)) projects.add(project);
  return [...projects];
}

export async function isAnyMissing(
  files: FileStore,
  sizes: readonly Pick<Size, 'hash' | 'bytes'>[],
): Promise<boolean> {
  for (const { hash, bytes } of sizes) if ((await files.size(hash)) !== bytes) return true;
  return false;
}
