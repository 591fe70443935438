// The ZIP of a person's own data: a page that opens without us, the same as JSON lines, and the files. It is written
// while the client reads it.

import { makeZip } from 'client-zip';
import { OperatorError } from '../../common/errors.ts';
import { runOutsideRequests } from '../../common/request-lifetime.ts';
import type { Database } from '../../database/database.ts';
import type { FileStore } from '../../files/store.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import type { Size } from '../../gallery/media/media.ts';
import { projectPath } from '../../gallery/paths.ts';
import { loadAvatar } from '../../gallery/profiles/avatar.ts';
import type { ProjectRow } from '../../gallery/projects/project.ts';
import type { ProjectFinder } from '../../gallery/projects/reading/find.ts';
import { requireSignedIn, type Viewer } from '../../gallery/viewer.ts';
import { exportOwnData, type OwnDataFormat } from './export.ts';
import { avatarPath, dataPath, fileLine, filePath, indexPath, sourceLine } from './lines.ts';
import { loadOwnIds, readFiles } from './read.ts';

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

interface Entry {
  readonly name: string;
  readonly input: AsyncIterable<string | Uint8Array>;
  readonly lastModified: Date;
}

/** Compresses nothing: the files are compressed already, and most of it. */
export async function* generateArchive(
  deps: ArchiveDependencies,
  options: ArchiveOptions,
): AsyncGenerator<Uint8Array> {
  // A download takes longer than the request in which it begins.
  const reader = runOutsideRequests(() => makeZip(generateEntries(deps, options)).getReader());
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

async function* generateEntries(
  deps: ArchiveDependencies,
  { viewer, origin, index }: ArchiveOptions,
): AsyncGenerator<Entry> {
  const { database, files } = deps;
  const id = requireSignedIn(viewer);
  const lastModified = new Date();
  const lines = exportOwnData(database, id, createArchiveFormat(deps, viewer, origin));
  yield { name: indexPath, input: joinTexts(index), lastModified };
  yield { name: dataPath, input: joinTexts(lines), lastModified };
  const avatar = (await loadAvatar(database, id)).at(-1);
  if (avatar) yield { name: avatarPath, input: readFile(files, avatar), lastModified };
  const ids = (await loadOwnIds(database, id)).map((project) => project.id);
  for await (const file of readFiles(database, ids)) {
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
async function* joinTexts(texts: AsyncIterable<string>): AsyncGenerator<string> {
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

async function* readFile(files: FileStore, { hash, bytes }: Pick<Size, 'hash' | 'bytes'>) {
  if ((await files.size(hash)) !== bytes)
    throw new OperatorError(
      `The file ${hash} is missing from the file store. Run vitrine check for details.`,
    );
  for (let at = 0; at < bytes; at += bytesPerRead)
    yield await files.read(hash, at, Math.min(bytes, at + bytesPerRead));
}
