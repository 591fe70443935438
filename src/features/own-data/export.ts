// The ZIP of a person's own data: a page that opens without us, the same as JSON lines, and the files. It is written
// while the client reads it.

import { makeZip } from 'client-zip';
import { OperatorError } from '#common/errors.ts';
import { runOutsideRequests } from '#common/request-lifetime.ts';
import type { Database } from '#sql';
import { loadAvatar } from '../../core/contributors/avatar.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { formatContributorLine } from '../../core/contributors/contributor-line.ts';
import { loadContributor } from '../../core/contributors/find-contributors.ts';
import { generateBytesLines } from '../../core/dump/file-content.ts';
import type { FileStore } from '../../core/files/store.ts';
import type { Size } from '../../core/files/stored-files.ts';
import { projectPath } from '../../core/paths.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { avatarLine } from '../../projects/dump/avatars.ts';
import { loadLineKinds } from '../../projects/dump/line-kinds.ts';
import { formatMediaLine } from '../../projects/dump/media.ts';
import { formatProjectLine } from '../../projects/dump/project-line.ts';
import type { ProjectRow } from '../../projects/project.ts';
import type { ProjectFinder } from '../../projects/reading/find-projects.ts';
import { avatarPath, dataPath, fileLine, filePath, indexPath, ownDataLine, sourceLine } from './lines.ts';
import { loadOwnIds, readFiles, readOwnProjects } from './read-own.ts';

interface ArchiveDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly projects: ProjectFinder;
}

interface ArchiveOptions {
  readonly viewer: Viewer;
  /** The address of the gallery. */
  readonly origin: string;
  /** The page, in parts. */
  readonly index: AsyncIterable<string>;
}

export const generateArchive = (deps: ArchiveDependencies, options: ArchiveOptions) =>
  generateZip(generateEntries(deps, options));

/** Compresses nothing: the files are compressed already, and most of it. */
export async function* generateZip(entries: Parameters<typeof makeZip>[0]) {
  // A download takes longer than the request in which it begins.
  const reader = runOutsideRequests(() => makeZip(entries).getReader());
  try {
    for (;;) {
      const { done, value } = await runOutsideRequests(() => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    // It rejects because the entries did not come to their end.
    await reader.cancel().catch(() => {});
  }
}

async function* generateEntries(deps: ArchiveDependencies, { viewer, origin, index }: ArchiveOptions) {
  const { database, files } = deps;
  const id = requireSignedIn(viewer);
  const lastModified = new Date();
  const lines = exportOwnData(database, viewer, createArchiveFormat(deps, viewer, origin));
  yield { name: indexPath, input: joinTexts(index), lastModified };
  yield { name: dataPath, input: joinTexts(lines), lastModified };
  const avatar = (await loadAvatar(database, id)).at(-1);
  if (avatar) yield { name: avatarPath, input: readFile(files, avatar), lastModified };
  const ids = (await loadOwnIds(database, viewer)).map((project) => project.id);
  for await (const file of readFiles(database, ids, !viewer.seesNoCopies)) {
    const size = file.sizes.at(-1);
    if (size) yield { name: filePath(file), input: readFile(files, size), lastModified };
  }
}

function createArchiveFormat(
  { projects }: ArchiveDependencies,
  viewer: Viewer,
  origin: string,
): OwnDataFormat {
  return {
    gallery: origin,
    *exportFile(sizes, path) {
      const size = sizes.at(-1);
      if (size) yield fileLine.stringify({ hash: size.hash, path });
    },
    async exportSources(rows) {
      const references = await projects.loadReferences(viewer, rows.flatMap(listSources));
      return [...references.values()]
        .filter(({ contributor }) => contributor !== viewer.contributor)
        .map((source) =>
          sourceLine.stringify({
            id: source.id,
            title: source.title,
            name: displayName(source),
            url: origin + projectPath(source),
          }),
        );
    },
  };
}

/** The ids of the projects that a remix or a comment is about. */
export const listSources = ({ copied_from, root, parent }: ProjectRow): number[] =>
  [copied_from, root ?? parent].filter((id) => id !== null);

const chunkLength = 64_000;

/** An empty text would end the file, and each part costs some time. */
export async function* joinTexts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let joined = '';
  for await (const text of texts) {
    joined += text;
    if (joined.length < chunkLength) continue;
    yield joined;
    joined = '';
  }
  if (joined) yield joined;
}

const bytesPerRead = 512 * 1024;

export async function* readFile(files: FileStore, { hash, bytes }: Pick<Size, 'hash' | 'bytes'>) {
  if ((await files.size(hash)) !== bytes)
    throw new OperatorError(
      `The file ${hash} is missing from the file store. Run vitrine check for details.`,
    );
  for (let at = 0; at < bytes; at += bytesPerRead)
    yield await files.read(hash, at, Math.min(bytes, at + bytesPerRead));
}

// Exports everything that belongs to one contributor as dump lines: their projects and comments in any state, their
// files, and the rows of tables that the kinds of lines say are somebody's own. There may be gigabytes, and the client may read
// slowly: a few rows are read at a time, each in its state of that moment.

type StoredSize = Pick<Size, 'hash' | 'bytes'>;

/** The lines alone and the ZIP differ in this. */
export interface OwnDataFormat {
  /** The address of the gallery. */
  readonly gallery: string | null;
  /** The lines that follow that of a file: its content, or its path in the ZIP. */
  exportFile(sizes: readonly StoredSize[], path: string): Iterable<string> | AsyncIterable<string>;
  /** The lines that follow those of projects. */
  exportSources?(projects: readonly ProjectRow[]): Promise<readonly string[]>;
}

/** The lines alone: the content of each file is in them once. */
export function createLinesFormat(files: FileStore): OwnDataFormat {
  const sentHashes = new Set<string>();
  return {
    gallery: null,
    async *exportFile(sizes) {
      for (const size of sizes.filter(({ hash }) => !sentHashes.has(hash))) {
        sentHashes.add(size.hash);
        yield* generateBytesLines(files, size);
      }
    },
  };
}

export async function* exportOwnData(database: Database, viewer: Viewer, format: OwnDataFormat) {
  for await (const line of generateLines(database, viewer, format)) yield `${line}\n`;
}

async function* generateLines(
  database: Database,
  viewer: Viewer,
  { gallery, exportFile, exportSources }: OwnDataFormat,
): AsyncGenerator<string> {
  const id = requireSignedIn(viewer);
  yield ownDataLine.stringify({ contributor: id, gallery });
  const ids = (await loadOwnIds(database, viewer)).map((project) => project.id);
  const exporters: Readonly<Record<string, () => AsyncIterable<string>>> = {
    contributor: async function* () {
      yield formatContributorLine(await loadContributor(database, id));
    },
    avatar: async function* () {
      const sizes = await loadAvatar(database, id);
      if (sizes.length === 0) return;
      yield avatarLine.stringify({ contributor: id, sizes });
      yield* exportFile(sizes, avatarPath);
    },
    project: async function* () {
      for await (const projects of readOwnProjects(database, id, ids)) {
        for (const project of projects)
          yield formatProjectLine({ ...project, trashed_by: project.trashed_by === id ? id : null });
        if (exportSources) yield* await exportSources(projects);
      }
    },
    media: async function* () {
      for await (const file of readFiles(database, ids, !viewer.seesNoCopies)) {
        yield formatMediaLine(file);
        yield* exportFile(file.sizes, filePath(file));
      }
    },
  };
  for (const { format, exportOwn } of await loadLineKinds())
    yield* exportOwn?.(database, id, viewer) ?? exporters[format.type]?.() ?? [];
}
