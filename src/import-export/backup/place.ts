// Where backups are: in a folder or in a bucket. Each backup is a folder there, named by its time; `files` has the
// uploaded files of all backups, once by content.

import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, OperatorError } from '../../common/errors.ts';
import { privateFolderMode } from '../../common/private-files.ts';
import { createFolderStore, openFolderStore, syncFolder } from '../../files/folder.ts';
import { type FileDigest, hashFile } from '../../files/hash.ts';
import type { FileStore } from '../../files/store.ts';
import { formatInstant, type Instant } from '../../gallery/instant.ts';
import { type FileName, fileNames } from './manifest.ts';

export interface BackupPlace {
  /** The absolute path of the folder, or the URL of the bucket. */
  readonly address: string;
  addressOf(backup: string): string;
  readonly files: FileStore;
  /** The backups, finished or not, the oldest first. */
  list(): Promise<string[]>;
  size(backup: string, file: FileName): Promise<number | undefined>;
  stream(backup: string, file: FileName, size: number): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** `write` fills the file at the path. It is on disk when the promise resolves. */
  store(backup: string, file: FileName, write: (path: string) => Promise<void>): Promise<FileDigest>;
  /** Deletes the files that a backup consists of, the manifest first, and nothing else. */
  remove(backup: string): Promise<void>;
}

const namePattern = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/** Sorted by name, backups are sorted by time. */
export const backupName = (at: Instant): string =>
  `${formatInstant(at, 'UTC').slice(0, 23).replaceAll(/[:.]/g, '-')}Z`;

export const isBackupName = (name: string): boolean => namePattern.test(name);

export const timeOfBackup = (name: string): Date =>
  new Date(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/, 'T$1:$2:$3.$4Z'));

/** Creates the folder, so that a place where that fails is reported at once. */
export async function openFolderPlace(folder: string): Promise<BackupPlace> {
  if (!existsSync(dirname(folder)))
    throw new OperatorError(`The folder above the place for backups ${folder} does not exist.`);
  await mkdir(folder, { recursive: true, mode: privateFolderMode });
  await openFolderStore(join(folder, 'files'));
  return createFolderPlace(folder);
}

export function createFolderPlace(folder: string): BackupPlace {
  const pathOf = (backup: string, file: string) => join(folder, backup, file);
  return {
    address: folder,
    addressOf: (backup) => join(folder, backup),
    files: createFolderStore(join(folder, 'files')),
    // A link could lead to files that are not ours.
    list: async () =>
      (await readdir(folder, { withFileTypes: true }))
        .filter((entry) => entry.isDirectory() && isBackupName(entry.name))
        .map(({ name }) => name)
        .sort(),
    async size(backup, file) {
      try {
        return (await stat(pathOf(backup, file))).size;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    stream: (backup, file) => Bun.file(pathOf(backup, file)).stream(),
    async store(backup, file, write) {
      await mkdir(join(folder, backup), { recursive: true, mode: privateFolderMode });
      await write(pathOf(backup, file));
      await syncFolder(join(folder, backup));
      await syncFolder(folder);
      return hashFile(pathOf(backup, file));
    },
    async remove(backup) {
      for (const name of Object.values(fileNames)) await rm(pathOf(backup, name), { force: true });
      for (const name of await readdir(join(folder, backup)))
        if (isUnfinished(name)) await rm(pathOf(backup, name), { force: true });
      // A folder in which somebody has put something else stays.
      await rmdir(join(folder, backup)).catch(() => {});
    },
  };
}

/** A file that a killed backup was writing: see gallery/dump/dump-output.ts. */
const isUnfinished = (name: string) =>
  Object.values(fileNames).some((file) => name.startsWith(`${file}.`)) && name.endsWith('.unfinished');
