import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, OperatorError } from '../../common/errors.ts';
import { privateFolderMode } from '../../common/private-files.ts';
import { createFolderStore, openFolderStore, syncFolder } from '../../files/folder.ts';
import { hashFile } from '../../files/hash.ts';
import { fileNames } from './manifest.ts';
import { type BackupPlace, isBackupName } from './place.ts';

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
