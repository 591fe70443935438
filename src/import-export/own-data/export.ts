// Exports everything that belongs to one contributor as dump lines: their projects and comments in any state, their
// files, and the rows of tables that the kinds of lines say are somebody's own. There may be gigabytes, and the client may read
// slowly: a few rows are read at a time, each in its state of that moment.

import type { Database } from '../../database/database.ts';
import type { FileStore } from '../../files/store.ts';
import { formatContributorLine } from '../../gallery/contributors/contributor-line.ts';
import { loadContributor } from '../../gallery/contributors/find.ts';
import type { Size } from '../../gallery/media/media.ts';
import { loadAvatar } from '../../gallery/profiles/avatar.ts';
import type { ProjectRow } from '../../gallery/projects/project.ts';
import { formatProjectLine } from '../../gallery/projects/project-line.ts';
import { generateBytesLines } from '../dump/file-content.ts';
import { avatarLine } from '../dump/kinds/avatar.ts';
import { lineKinds } from '../dump/kinds/index.ts';
import { formatMediaLine } from '../dump/kinds/media.ts';
import { avatarPath, filePath, ownDataLine } from './lines.ts';
import { loadOwnIds, readFiles, readOwnProjects } from './read.ts';

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

export async function* exportOwnData(
  database: Database,
  id: number,
  format: OwnDataFormat,
): AsyncGenerator<string> {
  for await (const line of generateLines(database, id, format)) yield `${line}\n`;
}

async function* generateLines(
  database: Database,
  id: number,
  { gallery, exportFile, exportSources }: OwnDataFormat,
): AsyncGenerator<string> {
  yield ownDataLine.stringify({ contributor: id, gallery });
  const ids = (await loadOwnIds(database, id)).map((project) => project.id);
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
      for await (const file of readFiles(database, ids)) {
        yield formatMediaLine(file);
        yield* exportFile(file.sizes, filePath(file));
      }
    },
  };
  for (const { format, exportOwn } of lineKinds)
    yield* exportOwn?.(database, id) ?? exporters[format.type]?.() ?? [];
}
