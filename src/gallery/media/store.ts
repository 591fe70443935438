// Writes the rows of files.

import sql, { join } from 'sql-template-tag';
import type { Transaction } from '../../database/database.ts';
import { mediaSizeTable, mediaTable } from '../../database/schema.ts';
import { loadMedia, queryMedia } from './find.ts';
import type { Media } from './media.ts';

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
