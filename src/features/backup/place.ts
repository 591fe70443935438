// Where backups are: in a folder or in a bucket. Each backup is a folder there, named by its time; `files` has the
// uploaded files of all backups, once by content.

import { statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, OperatorError, systemReason } from '#common/errors.ts';
import { privateFolderMode } from '#common/private-files.ts';
import { createFolderStore, openFolderStore, syncFolder } from '../../core/files/folder.ts';
import { type FileDigest, hashFile } from '../../core/files/hash.ts';
import { openS3Store } from '../../core/files/s3.ts';
import type { FileStore } from '../../core/files/store.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
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
  if (!isFolder(dirname(folder)))
    throw new OperatorError(`The folder above the place for backups ${folder} does not exist.`);
  try {
    await mkdir(folder, { recursive: true, mode: privateFolderMode });
  } catch (error) {
    throw new OperatorError(`The place for backups ${folder} cannot be written: ${systemReason(error)}.`);
  }
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

/** A file that a killed backup was writing: see ../dump/dump-file.ts. */
const isUnfinished = (name: string) =>
  Object.values(fileNames).some((file) => name.startsWith(`${file}.`)) && name.endsWith('.unfinished');

export async function openS3Place(location: string): Promise<BackupPlace> {
  const store = await openS3Store(location, 'backups');
  return {
    address: location,
    addressOf: (backup) => appendPath(location, backup),
    files: store.within('files'),
    list: async () => (await store.listFolders()).filter(isBackupName).sort(),
    size: (backup, file) => store.within(backup).size(file),
    stream: (backup, file, size) => store.within(backup).stream(file, 0, size),
    /** On disk first, so that the bucket never has a half-written file and its hash is that of what was written. */
    async store(backup, file, write) {
      const folder = await mkdtemp(join(tmpdir(), 'vitrine-backup-'));
      try {
        const path = join(folder, file);
        await write(path);
        await store.within(backup).put(file, Bun.file(path));
        return await hashFile(path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async remove(backup) {
      const backupStore = store.within(backup);
      for (const name of Object.values(fileNames))
        if ((await backupStore.size(name)) !== undefined) await backupStore.remove(name);
    },
  };
}

/** The path is before the settings of the bucket. */
function appendPath(location: string, name: string): string {
  const url = new URL(location);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${name}`;
  return url.href;
}

/** The last part of the path, and the location without it. */
export function splitPath(location: string): { name: string; parent: string } {
  const url = URL.parse(location);
  const name = url?.pathname.split('/').findLast(Boolean) ?? '';
  if (url) url.pathname = url.pathname.slice(0, url.pathname.lastIndexOf(name)).replace(/\/+$/, '');
  return { name, parent: url?.href ?? location };
}

export const isBucket = (address: string) => address.startsWith('s3://');

/** For new backups: creates the folder. */
export const openPlace = (address: string): Promise<BackupPlace> =>
  isBucket(address) ? openS3Place(address) : openFolderPlace(resolve(address));

async function openExistingPlace(address: string): Promise<BackupPlace> {
  if (isBucket(address)) return openS3Place(address);
  if (!isFolder(address)) throw new OperatorError(`There is no folder ${address}.`);
  return createFolderPlace(address);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    throw new OperatorError(`The folder ${path} cannot be read: ${systemReason(error)}.`);
  }
}

export interface FoundBackup {
  readonly place: BackupPlace;
  readonly backup: string;
  /** A later one with all but its manifest; missing if the backup was named. */
  readonly withoutManifest?: string | undefined;
}

/** For existing backups: a place, whose newest finished backup is meant, or one backup. */
export async function findBackup(address: string): Promise<FoundBackup> {
  const path = isBucket(address) ? address : resolve(address);
  const { name, parent } = isBucket(path) ? splitPath(path) : { name: basename(path), parent: dirname(path) };
  const isOne = isBackupName(name);
  const place = await openExistingPlace(isOne ? parent : path);
  const backups = await place.list();
  if (isOne) {
    if (backups.includes(name)) return { place, backup: name };
    throw new OperatorError(`There is no backup ${name} in ${place.address}.`);
  }
  let withoutManifest: string | undefined;
  for (const backup of backups.toReversed()) {
    if ((await place.size(backup, fileNames.manifest)) !== undefined)
      return { place, backup, withoutManifest };
    // The list is written just before the manifest: a backup that was killed has neither.
    if ((await place.size(backup, fileNames.list)) !== undefined) withoutManifest ??= backup;
  }
  throw new OperatorError(`There is no finished backup in ${place.address}.`);
}
