import type { Database } from '../../database/open.ts';
import type { FileStore } from '../../files/open.ts';
import { iterateMedia } from './find.ts';

/** Only a backup can restore the missing bytes. */
export async function findProjectsWithMissingFiles(database: Database, files: FileStore): Promise<number[]> {
  const projects = new Set<number>();
  for await (const { project, sizes } of iterateMedia(database)) {
    for (const { hash, bytes } of sizes) if ((await files.size(hash)) !== bytes) projects.add(project);
  }
  return [...projects];
}
