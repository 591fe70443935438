// Reads what belongs to one contributor, a few rows at a time: a client may take half an hour for all of it.

import sql, { empty, join, type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { findExcess, isJsonObject, parseJson } from '#common/json.ts';
import { all, type Database, pick, type Reader, type RowOf } from '#sql';
import { chunks, inBatches } from '../../core/chunks.ts';
import { contributorLine } from '../../core/contributors/contributor-line.ts';
import type { LineFormat } from '../../core/dump/line-format.ts';
import { splitLines } from '../../core/dump/split-lines.ts';
import { once } from '../../core/feature.ts';
import { mediaLimits } from '../../core/files/stored-files.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { avatarLine } from '../../projects/dump/avatars.ts';
import type { LineKind } from '../../projects/dump/kind.ts';
import { loadLineKinds } from '../../projects/dump/line-kinds.ts';
import { mediaLine } from '../../projects/dump/media.ts';
import { type ProjectLine, projectLine } from '../../projects/dump/project-line.ts';
import type { Media } from '../../projects/media/media.ts';
import { isAvailableSql, isKeptSql, queryMedia } from '../../projects/media/media-rows.ts';
import { projectColumns } from '../../projects/project.ts';
import { ratingTable } from '../../projects/tables.ts';
import { isErasedSql } from '../../projects/visibility/visible-to.ts';
import { dataPath, fileLine, ownDataLine, type Source, sourceLine } from './lines.ts';
import { refuseZip, type ZipArchive } from './read-zip.ts';

/** A text can have 100,000 characters. */
const projectsPerBatch = 4;
const filesPerBatch = 50;
const rowsPerBatch = 500;

const ownIdColumns = pick(projectColumns, 'id', 'content_type');

const isOwn = (contributor: number): Sql => sql`contributor = ${contributor} and not ${isErasedSql}`;

/** The ids of the projects and comments in any state, in order. */
export const loadOwnIds = (reader: Reader, viewer: Viewer): Promise<RowOf<typeof ownIdColumns>[]> =>
  all(reader, ownIdColumns)`from project where ${isOwn(requireSignedIn(viewer))}${
    viewer.seesNoCopies ? sql` and source_maker is null` : empty
  } order by id`;

/** In the order of the ids. */
export async function* readOwnProjects(database: Database, contributor: number, ids: readonly number[]) {
  for (const batch of chunks(ids, projectsPerBatch)) {
    const rows = await all(database, projectColumns)`from project
      where id in (${join(batch)}) and ${isOwn(contributor)}`;
    yield rows.toSorted((row, other) => batch.indexOf(row.id) - batch.indexOf(other.id));
    await nextEventLoopTurn();
  }
}

/** The files of these projects, ordered by project and number. `withKept`: those that are kept for later, too. */
export async function* readFiles(
  database: Database,
  ids: readonly number[],
  withKept = false,
): AsyncGenerator<Media> {
  for (const batch of chunks(ids, filesPerBatch)) {
    const kept = withKept ? sql` or ${isKeptSql}` : empty;
    const isOwn = sql`media.project in (${join(batch)}) and ((${isAvailableSql})${kept})`;
    for (const files of (await queryMedia(database, isOwn)).values())
      yield* files.toSorted((file, otherFile) => file.number - otherFile.number);
    await nextEventLoopTurn();
  }
}

export async function* readOwnRatings(database: Database, contributor: number) {
  const load = (last?: { project: number }) => all(database, ratingTable.columns)`from rating
    where contributor = ${contributor} and project > ${last?.project ?? 0}
    order by project limit ${rowsPerBatch}`;
  for await (const ratings of inBatches(load)) {
    yield ratings;
    await nextEventLoopTurn();
  }
}

// Reads the lines in a ZIP of a person's own data. Whoever wrote them, they say nothing but what projects, files and
// sources are, and what kinds of lines bring: other lines of such a ZIP are ignored, and lines that it never has are refused.

const maxBytes = 300 * 1024 * 1024;
const maxLines = 500_000;
/** The response names each, without comments. */
const maxProjects = 20_000;
/** Of the files and sources, which are kept in memory. */
const maxKeptLength = 64 * 1024 * 1024;

const loadIgnoredTypes = once(
  async () =>
    new Set([
      contributorLine.type,
      avatarLine.type,
      ...(await loadLineKinds())
        .filter(({ exportOwn, importOwn }) => exportOwn && !importOwn)
        .map(({ format }) => format.type),
    ]),
);

export interface OwnFile {
  readonly position: number;
  readonly name: string;
  readonly alt: string;
  /** Of the largest size. */
  readonly hash: string;
  /** The project to which it was uploaded, if that is another one. */
  readonly origin: number | undefined;
}

/** The content of all lines except projects, which are read one after another because their texts may be long. */
export interface OwnData {
  /** The folder in the ZIP, if somebody has packed it again with its folder. */
  readonly folder: string;
  /** By the id that the project had. */
  readonly files: ReadonlyMap<number, readonly OwnFile[]>;
  readonly projects: ReadonlySet<number>;
  readonly paths: ReadonlyMap<string, string>;
  readonly sources: ReadonlyMap<number, Source>;
  /** Those of kinds that bring them. */
  readonly others: ReadonlyMap<LineKind, readonly unknown[]>;
}

export async function readOwnData(archive: ZipArchive): Promise<OwnData> {
  const files = new Map<number, OwnFile[]>();
  const paths = new Map<string, string>();
  const sources = new Map<number, Source>();
  const brought = (await loadLineKinds()).filter(({ importOwn }) => importOwn);
  const others = new Map(brought.map((kind): [LineKind, unknown[]] => [kind, []]));
  const projects = new Set<number>();
  let comments = 0;
  const folder = findFolder(archive);
  let keptLength = 0;
  for await (const { number, length, format, entry } of readLines(archive, folder)) {
    const refuse = (reason: string) => refuseLine(number, reason);
    if (isOf(ownDataLine, format, entry) && number > 1) refuse('must be the first line.');
    if (isOf(projectLine, format, entry)) {
      if (projects.has(entry.id)) refuse(`project ${entry.id} is there twice.`);
      projects.add(entry.id);
      if (entry.content_type === 'comment') comments++;
      if (projects.size - comments > maxProjects) refuseZip(apiText('import.zipTooMuch'));
    } else {
      keptLength += length;
      if (keptLength > maxKeptLength) refuseZip(apiText('import.zipTooMuch'));
    }
    // A file that is kept for later stays behind: it would be shown.
    if (isOf(mediaLine, format, entry) && entry.position > 0) {
      const { position, name, alt, sizes, origin } = entry;
      const ofProject = files.get(entry.project) ?? [];
      if (ofProject.length === mediaLimits.files) refuse(`a project has at most ${mediaLimits.files} files.`);
      const file = { position, name, alt, hash: sizes.at(-1)?.hash ?? '', origin: origin ?? undefined };
      files.set(entry.project, [...ofProject, file]);
    }
    if (isOf(fileLine, format, entry)) paths.set(entry.hash, entry.path);
    if (isOf(sourceLine, format, entry)) sources.set(entry.id, entry);
    for (const [kind, lines] of others) if (isOf(kind.format, format, entry)) lines.push(entry);
  }
  return { folder, files, projects, paths, sources, others };
}

/** The projects in the order of their lines. */
export async function* readProjects(archive: ZipArchive, { folder }: OwnData): AsyncGenerator<ProjectLine> {
  for await (const { format, entry } of readLines(archive, folder))
    if (isOf(projectLine, format, entry)) yield entry;
}

function findFolder(archive: ZipArchive): string {
  for (const name of archive.names) {
    const [, folder = ''] = /^([^/]+\/)?data\.ndjson$/.exec(name) ?? [undefined];
    if (name === folder + dataPath) return folder;
  }
  return refuseZip(apiText('import.otherZip'));
}

interface ReadLine {
  readonly number: number;
  readonly length: number;
  readonly format: LineFormat;
  readonly entry: unknown;
}

const loadFormats = once(async (): Promise<ReadonlyMap<string, LineFormat>> => {
  const brought = (await loadLineKinds()).flatMap(({ importOwn, format }) => (importOwn ? [format] : []));
  const formats = [ownDataLine, projectLine, mediaLine, fileLine, sourceLine, ...brought];
  return new Map(formats.map((format) => [format.type, format]));
});

const isOf = <Line>(format: LineFormat<Line>, other: LineFormat, _entry: unknown): _entry is Line =>
  other.type === format.type;

async function* readLines(archive: ZipArchive, folder: string): AsyncGenerator<ReadLine> {
  let number = 0;
  const known = { ignoredTypes: await loadIgnoredTypes(), formats: await loadFormats() };
  for await (const { lines } of splitLines(archive.stream(folder + dataPath, maxBytes), refuseLine)) {
    for (const line of lines) {
      if (++number > maxLines) refuseZip(apiText('import.zipTooMuch'));
      const read = line === '' ? undefined : parseLine(number, line, known);
      if (read) yield read;
      if (line.length > 100_000) await nextEventLoopTurn();
    }
    await nextEventLoopTurn();
  }
}

interface KnownLines {
  readonly ignoredTypes: ReadonlySet<string>;
  readonly formats: ReadonlyMap<string, LineFormat>;
}

function parseLine(
  number: number,
  line: string,
  { ignoredTypes, formats }: KnownLines,
): ReadLine | undefined {
  const excess = findExcess(Buffer.from(line));
  if (excess) refuseLine(number, excess);
  const value = parseJson(line);
  if (value === undefined) refuseLine(number, 'is not JSON.');
  const { type } = isJsonObject(value) ? value : {};
  if (typeof type !== 'string' || !isJsonObject(value)) return refuseLine(number, 'has no type.');
  if (number === 1 && type !== ownDataLine.type)
    refuseLine(number, 'is not the first line of somebody’s own things.');
  if (ignoredTypes.has(type)) return undefined;
  const format = formats.get(type);
  if (!format)
    return refuseLine(number, `such a ZIP has no lines of the type ${JSON.stringify(type.slice(0, 60))}.`);
  const entry = format.parse(value);
  if (typeof entry === 'string') refuseLine(number, entry);
  return { number, length: line.length, format, entry };
}

const refuseLine = (number: number, reason: string): never =>
  refuseZip(apiText('import.wrongLine', { line: number, reason }));
