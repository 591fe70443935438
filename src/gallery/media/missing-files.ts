// Finds files whose bytes are missing. Only a backup can restore them.

import type { Database } from '../../database/database.ts';
import type { FileStore } from '../../files/store.ts';
import { iterateMedia } from './find.ts';
import type { Size } from './media.ts';

export async function findProjectsWithMissingFiles(database: Database, files: FileStore): Promise<number[]> {
  const projects = new Set<number>();
  for await (const { project, sizes } of iterateMedia(database))
    if (await isAnyMissing(files, sizes)) projects.add(project);
  return [...projects];
}

export async function isAnyMissing(
  files: FileStore,
  sizes: readonly Pick<Size, 'hash' | 'bytes'>[],
): Promise<boolean> {
  for (const { hash, bytes } of sizes) if ((await files.size(hash)) !== bytes) return true;
  return false;
}
