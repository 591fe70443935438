import type { Database } from '../database/open.ts';
import { type FileStore, openDefaultFileStore, openFileStore } from '../files/open.ts';
import { openGallery } from '../gallery/open.ts';
import type { Settings } from '../settings.ts';

/** The database, and where files are. A place for files that is wrong is told of before the database is opened. */
export async function openDatabaseAndFiles(
  settings: Settings<'database' | 'files'>,
): Promise<{ database: Database; files: FileStore }> {
  const files = settings.files
    ? await openFileStore(settings.files)
    : openDefaultFileStore(settings.database);
  return { files, database: await openGallery(settings.database) };
}
