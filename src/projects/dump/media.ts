// Dump lines for files: a line that describes the file, then the content that no earlier line had.

import sql, { join } from 'sql-template-tag';
import { all, pick, type Reader, type Transaction, text } from '#sql';
import { changeArchiveTable } from '../../core/changes/tables.ts';
import { type BytesLine, bytesLine } from '../../core/dump/file-content.ts';
import {
  defineLine,
  id,
  type LineOf,
  nullable,
  objects,
  oneOf,
  optional,
  sha256,
  text as textMember,
  trimmedText,
  unless,
  wholeNumber,
} from '../../core/dump/line-format.ts';
import { type MediaType, mediaLimits, mediaTypes } from '../../core/files/stored-files.ts';
import { readTable } from '../../core/listing/table-listing.ts';
import { focuses } from '../media/focus.ts';
import type { Media } from '../media/media.ts';
import { deleteMedia, insertMedia, iterateMedia } from '../media/media-rows.ts';
import { mediaTable, projectTable } from '../tables.ts';
import type { ImportContext } from './import-context.ts';
import type { Batch } from './import-log.ts';
import type { ExportFile, LineKind } from './kind.ts';
import { contentOfFile, loadProtectedFiles } from './project-rights.ts';
import { rightsAdvice } from './table-kind.ts';

const sideLength = nullable(wholeNumber(1));

export const mediaLine = defineLine('media', {
  project: id,
  number: id,
  /** 0 of one that is kept for later. */
  position: wholeNumber(0, mediaLimits.files),
  media_type: oneOf(Object.keys(mediaTypes) as MediaType[]),
  name: trimmedText({ maxLength: mediaLimits.importedName, forbidden: [/[/\\]/, 'a slash'] }),
  alt: textMember({ maxLength: mediaLimits.alt }),
  sizes: objects(
    { hash: sha256('a SHA-256'), bytes: wholeNumber(1), width: sideLength, height: sideLength },
    { minItems: 1, maxItems: 10 },
  ),
  origin: optional(id),
  focus: unless(oneOf(focuses), 'center'),
});

type MediaLine = LineOf<typeof mediaLine>;

export const formatMediaLine = ({ type, ...media }: Media): string =>
  mediaLine.stringify({ ...media, media_type: type });

const typeColumns = pick(projectTable.columns, 'id', 'content_type');
const distinctHash = { hash: text(sql`distinct hash`) };

export const mediaKind: LineKind<MediaLine> = {
  format: mediaLine,
  exporter: { count: sql`select count(*) from media`, isLast: true, exportLines },

  async importBatch(context, batch) {
    const { transaction, replacedMedia } = context;
    const projects = [...new Set(batch.map(({ entry }) => entry.project))];
    const newlyReplaced = projects.filter((id) => !replacedMedia.has(id));
    for (const [id, files] of await loadProtectedFiles(context, newlyReplaced))
      context.protectedFiles.set(id, files);
    protectFiles(context, batch);
    if (newlyReplaced.length) await deleteMedia(transaction, sql`project in (${join(newlyReplaced)})`);
    for (const id of newlyReplaced) replacedMedia.add(id);
    await checkMedia(context, batch, projects);
    await insertMedia(
      transaction,
      batch.map(({ entry: { media_type, ...media } }) => ({ ...media, type: media_type })),
    );
  },

  describeChange: ({ project }) => ({ subject: project }),
};

function protectFiles(context: ImportContext, batch: Batch<MediaLine>): void {
  for (const { lineNumber, entry } of batch)
    if (context.protectedFiles.get(entry.project)?.has(contentOfFile(entry)) === false)
      context.refuse(lineNumber, `project: ${entry.project} has other files here. ${rightsAdvice}`);
}

async function checkMedia(context: ImportContext, batch: Batch<MediaLine>, projects: readonly number[]) {
  const { transaction, files } = context;
  const rows = await all(transaction, typeColumns)`from project where id in (${join([...projects])})`;
  const types = new Map(rows.map(({ id, content_type }) => [id, content_type]));
  const usedPlaces = await loadUsedPlaces(transaction, projects);
  for (const { lineNumber, entry } of batch) {
    const { project, sizes } = entry;
    if (!types.has(project)) context.refuse(lineNumber, `project: there is no project ${project}.`);
    if (types.get(project) === 'comment') context.refuse(lineNumber, 'project: a comment has no files.');
    for (const { member, key } of placesOf(entry)) {
      if (usedPlaces.has(key)) context.refuse(lineNumber, `${member}: another file of the project has it.`);
      usedPlaces.add(key);
    }
    if (new Set(sizes.map(({ hash }) => hash)).size < sizes.length)
      context.refuse(lineNumber, 'sizes: must not hold one hash twice.');
    for (const size of sizes) files.expect(lineNumber, size);
  }
}

type Place = Pick<Media, 'project' | 'number' | 'position'>;

const placesOf = ({ project, number, position }: Place) => [
  { member: 'number', key: `number ${project} ${number}` },
  ...(position > 0 ? [{ member: 'position', key: `position ${project} ${position}` }] : []),
];

async function loadUsedPlaces(transaction: Transaction, projects: readonly number[]): Promise<Set<string>> {
  const rows = await all(transaction, mediaTable.columns)`from media
    where project in (${join([...projects])})`;
  return new Set(rows.flatMap(placesOf).map(({ key }) => key));
}

/** One line at a time, because each may be long. */
async function* exportLines(reader: Reader, exportFile: ExportFile): AsyncGenerator<string[]> {
  for await (const media of iterateMedia(reader)) {
    yield [formatMediaLine(media)];
    const earlier = await findEarlierHashes(reader, media);
    for (const size of media.sizes)
      if (!earlier.has(size.hash)) for await (const line of exportFile(size)) yield [line];
  }
}

/** Copies share the files of their source: only the first file with a hash brings its bytes. */
async function findEarlierHashes(reader: Reader, { project, number, sizes }: Media): Promise<Set<string>> {
  const rows = await all(reader, distinctHash)`from media_size
    where hash in (${join(sizes.map(({ hash }) => hash))}) and (project, number) < (${project}, ${number})`;
  return new Set(rows.map(({ hash }) => hash));
}

/** Exported with the lines that need them, but for those of archived changes, whose log they would end. */
export const bytesKind: LineKind<BytesLine> = {
  format: bytesLine,
  batchSize: 1,
  exporter: {
    count: sql`select 0`,
    isLast: true,
    async *exportLines(reader, exportFile) {
      const { columns } = changeArchiveTable;
      for await (const files of readTable(reader, changeArchiveTable, columns, sql`1 = 1`))
        for (const file of files) for await (const line of exportFile(file)) yield [line];
    },
  },

  async importBatch({ files }, batch) {
    for (const { lineNumber, entry } of batch) await files.addBytes(lineNumber, entry);
  },

  describeChange: () => ({ subject: 0 }),
  finishImport: ({ files, lineNumber }) => files.finish(lineNumber),
};
