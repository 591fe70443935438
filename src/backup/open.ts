import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { OperatorError } from '../errors.ts';
import { createFolderPlace, openFolderPlace } from './folder-place.ts';
import { fileNames } from './manifest.ts';
import { type BackupPlace, isBackupName } from './place.ts';

/** For new backups: creates the folder. */
export function openPlace(address: string): Promise<BackupPlace> {
  return openFolderPlace(resolve(address));
}

export interface FoundBackup {
  readonly place: BackupPlace;
  readonly backup: string;
}

/** For existing backups: a place, whose newest finished backup is meant, or one backup. */
export async function findBackup(address: string): Promise<FoundBackup> {
  const path = resolve(address);
  const name = basename(path);
  const folder = isBackupName(name) ? dirname(path) : path;
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new OperatorError(`There is no folder ${folder}.`);
  const place = createFolderPlace(folder);
  const backups = await place.list();
  if (isBackupName(name)) {
    if (backups.includes(name)) return { place, backup: name };
    throw new OperatorError(`There is no backup ${name} in ${place.address}.`);
  }
  for (const backup of backups.toReversed())
    if ((await place.size(backup, fileNames.manifest)) !== undefined) return { place, backup };
  throw new OperatorError(`There is no finished backup in ${place.address}.`);
}
