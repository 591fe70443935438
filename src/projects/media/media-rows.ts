// The rows of files: queries for projects that the viewer was found to see, and writes.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { NotFound } from '#common/errors.ts';
import {
  all,
  type Database,
  execute,
  first,
  integer,
  nullable,
  pick,
  qualify,
  type Reader,
  type Transaction,
  text,
} from '#sql';
import { allTables } from '../../core/all-tables.ts';
import { once } from '../../core/feature.ts';
import { deleteReferences, isAnyMissing } from '../../core/files/references.ts';
import type { FileStore } from '../../core/files/store.ts';
import type { MediaType, Size } from '../../core/files/stored-files.ts';
import { addJobs } from '../../core/jobs/jobs.ts';
import { inTrash, removed } from '../../core/project-status.ts';
import { mediaSizeTable, mediaTable, projectTable } from '../tables.ts';
import { isShown, type Media } from './media.ts';

// Which files of copies are served: conditions for every query of files.

/** A file or one of its sizes, and the project that has it, in a query that names the tables so. */
export const isAvailable = (media: string, size: string) =>
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
export const isAvailableSql = sql`media.position > 0 and ${isAvailable('media', 'media_size')}`;

/** Of a file in a query: it is kept for later, and no part of its project yet. */
export const isKeptSql = raw('media.position = 0');

/** `media` is the alias of the table. */
export const hasAvailableSize = (media: string) =>
  sql`exists (select 1 from media_size as some_size where some_size.project = ${raw(media)}.project
    and some_size.number = ${raw(media)}.number and ${raw(media)}.position > 0 and ${isAvailable(media, 'some_size')})`;

const batchSize = 500;

export const mediaColumns = {
  ...qualify('media', { ...mediaTable.columns, type: mediaTable.columns.type.narrow<MediaType>() }),
  ...pick(mediaSizeTable.columns, 'hash', 'bytes', 'width', 'height'),
};

const withdrawnColumns = {
  removed: projectTable.columns.removed_files,
  stored: integer(sql`(select count(*) from media where media.project = project.id and not ${isKeptSql})`),
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

/** Those with files that were uploaded to another project. */
export const copiedFileTables = once(() =>
  allTables().filter(({ columns }) => 'origin' in columns && 'project' in columns),
);

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

interface CopiedFile extends Pick<Media, 'name' | 'alt'> {
  readonly hash: string;
}

/** Of a copy that was brought back: the files that others have uploaded, as far as its sources have them. */
export async function copyFilesBack(
  transaction: Transaction,
  copy: number,
  sources: readonly number[],
  files: readonly CopiedFile[],
): Promise<Media[]> {
  const present = [...(await loadMedia(transaction, sources)).values()].flat();
  const found = files.flatMap(({ hash, name, alt }) => {
    const file = present.find(({ sizes }) => sizes.some((size) => size.hash === hash));
    return file ? [{ ...file, name, alt, origin: file.origin ?? file.project }] : [];
  });
  const copies = found.map((file, index) => ({
    ...file,
    project: copy,
    number: index + 1,
    position: index + 1,
  }));
  await insertMedia(transaction, copies);
  return copies;
}

/** The condition is about columns of both tables of files. Copies lose the files later: see redact.ts. */
export async function deleteMedia(transaction: Transaction, condition: Sql): Promise<void> {
  const isCopied = join(
    copiedFileTables().map(
      ({ name }) => sql`exists (select 1 from ${raw(name)} as copied where copied.origin = media.project)`,
    ),
    ' or ',
  );
  await addJobs(
    transaction,
    'withdrawn_files',
    sql`select distinct cast(project as text) as name from media where (${condition}) and (${isCopied})`,
  );
  await deleteReferences(transaction, 'media_size', condition);
  await execute(transaction)`delete from media where ${condition}`;
}

/** With those that are kept for later. */
export const loadAllMedia = async (reader: Reader, project: number): Promise<Media[]> =>
  (await queryMedia(reader, sql`media.project = ${project}`)).get(project) ?? [];

/** The files of the project, with those that were withdrawn from a copy: they keep their places until the sweep. */
export const loadProjectMedia = async (transaction: Transaction, project: number): Promise<Media[]> =>
  (await loadAllMedia(transaction, project)).filter(isShown);

// Finds files whose bytes are missing. Only a backup can restore them.

export async function findProjectsWithMissingFiles(database: Database, files: FileStore): Promise<number[]> {
  const projects = new Set<number>();
  for await (const { project, sizes } of iterateMedia(database))
    if (await isAnyMissing(files, sizes)) projects.add(project);
  return [...projects];
}
