import { OperatorError } from '#common/errors.ts';
import { createFolderStore, openFolderStore } from './folder.ts';
import { openS3Store } from './s3.ts';
import type { FileStore } from './store.ts';

/** The file store beside the database, for galleries without the setting. */
export const openDefaultFileStore = (database: string): FileStore =>
  createFolderStore(defaultFolder(database));

export function defaultFolder(database: string): string {
  return /^postgres(ql)?:/.test(database) ? 'vitrine.files' : `${database}.files`;
}

export async function openFileStore(location: string): Promise<FileStore> {
  if (location.startsWith('s3://')) return openS3Store(location);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location) ?? [];
  if (scheme) throw new OperatorError(`The files must be in a folder or at s3://…, not ${scheme}:.`);
  return openFolderStore(location);
}
