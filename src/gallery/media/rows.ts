// The rows of files: queries for projects that the viewer was found to see, and writes.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { NotFound } from '../../common/errors.ts';
import { allTables } from '../../database/all-tables.ts';
import { integer, nullable, pick, qualify, text } from '../../database/columns.ts';
import type { Database, Reader, Transaction } from '../../database/database.ts';
import { all, execute, first } from '../../database/query.ts';
import { mediaSizeTable, mediaTable, projectTable } from '../../database/schema.ts';
import type { FileStore } from '../../files/store.ts';
import { chunks } from '../chunks.ts';
import { addDays, now } from '../instant.ts';
import { addJobs } from '../jobs.ts';
import { inTrash, removed } from '../project-status.ts';
import type { Media, MediaType, Size } from './media.ts';

// Which files of copies are served: conditions for every query of files.

/** A file or one of its sizes, and the project that has it, in a query that names the tables so. */
const isAvailable = (media: string, size: string) =>
  raw(`(${media}.origin is null or exists (
    select 1 from project as source where source.id = ${media}.origin and source.status <> ${removed} and (
      source.contributor = (select copy.contributor from project as copy where copy.id = ${media}.project)
      or (source.status <> ${inTrash} and exists (
        select 1 from media_size as original where original.project = source.id and original.hash = ${size}.hash
      ))
    )
  ))`);

/**
 * False for a file of a copy if it was deleted from the project that it was uploaded to, or if that project is in the
 * trash, was deleted, or was removed by a moderator. Contributors keep the files in copies of their own projects, unless
 * a moderator removed them.
 */
export const isAvailableSql = isAvailable('media', 'media_size');

/** `media` is the alias of the table. */
export const hasAvailableSize = (media: string) =>
  sql`exists (select 1 from media_size as some_size where some_size.project = ${raw(media)}.project
    and some_size.number = ${raw(media)}.number and ${isAvailable(media, 'some_size')})`;

const batchSize = 500;

export const mediaColumns = {
  ...qualify('media', { ...mediaTable.columns, type: mediaTable.columns.type.narrow<MediaType>() }),
  ...pick(mediaSizeTable.columns, 'hash', 'bytes', 'width', 'height'),
};

const withdrawnColumns = {
  removed: projectTable.columns.removed_files,
  stored: integer(sql`(select count(*) from media where media.project = project.id)`),
  available: integer(
    sql`(select count(*) from media where media.project = project.id and ${hasAvailableSize('media')})`,
  ),
};

/** The hash of the largest size of the first picture; null without a picture. For a query of `project`. */
export const coverOfProject = nullable(
  text(sql`(
    select media_size.hash from media join media_size
      on media_size.project = media.project and media_size.number = media.number
    where media.project = project.id and media.type = 'image/webp' and ${isAvailableSql}
    order by media.position, media_size.width desc limit 1
  )`),
);

const projectColumn = { project: integer(sql`distinct project`) };
const hashColumn = { hash: text(sql`distinct hash`) };

/** The files of each project that are not withdrawn, in order. */
export async function loadMedia(reader: Reader, projects: readonly number[]): Promise<Map<number, Media[]>> {
  return projects.length
    ? queryMedia(reader, sql`media.project in (${join([...projects])}) and ${isAvailableSql}`)
    : new Map();
}

/** How many files of a copy were withdrawn where they were uploaded. */
export async function countWithdrawnFiles(reader: Reader, project: number): Promise<number> {
  const row = await first(reader, withdrawnColumns)`from project where id = ${project}`;
  return row ? row.removed + row.stored - row.available : 0;
}

/** The first picture of each project. */
export async function loadCovers(reader: Reader, projects: readonly number[]): Promise<Map<number, Media>> {
  if (projects.length === 0) return new Map();
  const first = sql`(select first.number from media as first
    where first.project = media.project and first.type = 'image/webp' and ${hasAvailableSize('first')}
    order by first.position limit 1)`;
  const covers = await queryMedia(
    reader,
    sql`media.project in (${join([...projects])}) and media.number = ${first} and ${isAvailableSql}`,
  );
  return new Map([...covers].flatMap(([project, [cover]]) => (cover ? [[project, cover]] : [])));
}

export async function findMedia(reader: Reader, project: number, number: number): Promise<Media> {
  const media = (await loadMedia(reader, [project])).get(project) ?? [];
  const file = media.find((candidate) => candidate.number === number);
  if (!file) throw new NotFound();
  return file;
}

/** Ordered by project, then by position. */
export async function queryMedia(reader: Reader, condition: Sql): Promise<Map<number, Media[]>> {
  const rows = await all(reader, mediaColumns)`from media
    join media_size on media_size.project = media.project and media_size.number = media.number
    where ${condition} order by media.project, position, media.number, width, hash`;
  const filesByProject = new Map<number, (Media & { sizes: Size[] })[]>();
  for (const { hash, bytes, width, height, ...file } of rows) {
    const files = filesByProject.get(file.project) ?? [];
    const last = files.at(-1);
    const size = { hash, bytes, width, height };
    if (last?.number === file.number) last.sizes.push(size);
    else files.push({ ...file, sizes: [size] });
    filesByProject.set(file.project, files);
  }
  return filesByProject;
}

/** All files, ordered by project and number. */
export async function* iterateMedia(reader: Reader): AsyncGenerator<Media> {
  for (let after = 0; ; ) {
    const projects = await all(reader, projectColumn)`from media
      where project > ${after} order by project limit ${batchSize}`;
    const last = projects.at(-1);
    if (!last) return;
    const byProject = await queryMedia(
      reader,
      sql`media.project > ${after} and media.project <= ${last.project}`,
    );
    for (const media of byProject.values())
      yield* media.toSorted((file, otherFile) => file.number - otherFile.number);
    after = last.project;
  }
}

/** Each of their rows refers to a stored file. */
const fileTables = allTables.filter(({ columns }) => 'hash' in columns && 'bytes' in columns);

/** Those of the hashes that a file, a hand-in, an avatar, a site's logo, the public dump or the archive of changes has. */
export async function findUsedHashes(reader: Reader, hashes: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (const chunk of chunks(hashes)) {
    const parts = fileTables.map(
      ({ name }) => sql`select hash from ${raw(name)} where hash in (${join(chunk)})`,
    );
    const rows = await all(reader, hashColumn)`from (${join(parts, ' union all ')}
        union all select substr(value, 1, 64) as hash from site_setting where name = 'logo') as used`;
    for (const { hash } of rows) used.add(hash);
  }
  return used;
}

// Writes the rows of files.

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

/** Rows that refer to files: when the last one is gone, the bytes are deleted, at least a day after they were stored. */
export async function deleteReferences(
  transaction: Transaction,
  table: 'media_size' | 'hand_in_file' | 'avatar_size' | 'public_dump',
  condition: Sql,
): Promise<void> {
  const rows = sql`from ${raw(table)} where ${condition}`;
  await addJobs(transaction, 'unused_file', sql`select distinct hash as name ${rows} and hash is not null`);
  await execute(transaction)`delete ${rows}`;
}

/**
 * Call it before bytes are stored: if no row refers to them a day later, because the request failed or the process was
 * killed, they are deleted.
 */
export const expectReference = (database: Database, hashes: readonly string[]): Promise<void> =>
  database.transaction((transaction) =>
    addJobs(
      transaction,
      'unused_file',
      join(
        [...new Set(hashes)].map((hash) => sql`select ${hash} as name`),
        ' union all ',
      ),
      addDays(now(), 1),
    ),
  );

/** Deletes the bytes of a file that nothing refers to. If they were stored less than a day ago, it is looked at again. */
export async function deleteUnusedFile(database: Database, files: FileStore, hash: string) {
  if ((await findUsedHashes(database, [hash])).has(hash)) return 'done';
  return (await files.removeOld(hash, Date.now() - graceMs)) ? 'done' : addDays(now(), 1);
}

/** Longer than any request or import between writing bytes and committing the rows that refer to them. */
export const graceMs = 24 * 3600_000;

/** The condition is about columns of both tables of files. Copies lose the files later: see redact.ts. */
export async function deleteMedia(transaction: Transaction, condition: Sql): Promise<void> {
  const isCopied = sql`exists (select 1 from media as copied where copied.origin = media.project)`;
  await addJobs(
    transaction,
    'withdrawn_files',
    sql`select distinct cast(project as text) as name from media where (${condition}) and ${isCopied}`,
  );
  await deleteReferences(transaction, 'media_size', condition);
  await execute(transaction)`delete from media where ${condition}`;
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

export async function isAnyMissing(files: FileStore, sizes: readonly Pick<Size, 'hash' | 'bytes'>[]) {
  for (const { hash, bytes } of sizes) if ((await files.size(hash)) !== bytes) return true;
  return false;
}
