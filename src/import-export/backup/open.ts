import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { OperatorError } from '../../common/errors.ts';
import { fileNames } from './manifest.ts';
import { type BackupPlace, createFolderPlace, isBackupName, openFolderPlace } from './place.ts';
import { openS3Place, splitPath } from './s3-place.ts';

export const isBucket = (address: string) => address.startsWith('s3://');

/** For new backups: creates the folder. */
export function openPlace(address: string): Promise<BackupPlace> {
  return isBucket(address) ? openS3Place(address) : openFolderPlace(resolve(address));
}

async function openExistingPlace(address: string): Promise<BackupPlace> {
  if (isBucket(address)) return openS3Place(address);
  if (!existsSync(address) || !statSync(address).isDirectory())
    throw new OperatorError(`There is no folder ${address}.`);
  return createFolderPlace(address);
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
