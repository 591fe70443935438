import type { Database } from '../database/open.ts';
import { type Files, filesBeside, openFiles } from '../files/open.ts';
import { openGallery } from '../gallery/open.ts';
import type { Settings } from '../settings.ts';

/** The database, and where files are. A place for files that is wrong is told of before the database is opened. */
export async function openBoth(
  settings: Settings<'database' | 'files'>,
): Promise<{ database: Database; files: Files }> {
  const files = settings.files ? await openFiles(settings.files) : filesBeside(settings.database);
  return { files, database: await openGallery(settings.database) };
}
