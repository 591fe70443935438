import type { Database } from '#sql';
import { openDefaultFileStore, openFileStore } from '../files/open-store.ts';
import type { FileStore } from '../files/store.ts';
import { type OpenOptions, openGallery } from '../open-gallery.ts';
import type { Settings } from '../settings/settings.ts';

export interface OpenGallery extends AsyncDisposable {
  readonly database: Database;
  readonly files: FileStore;
}

/**
 * Opens the file store first, so that a wrong location is reported before the database is opened. A new gallery is made only
 * for commands that say so: the path may be mistyped.
 */
export async function openDatabaseAndFiles(
  settings: Settings<'database' | 'files'>,
  reportError?: (error: unknown) => void,
  options?: OpenOptions,
): Promise<OpenGallery> {
  const files = await openFiles(settings);
  const database = await openGallery(settings.database, reportError, { mustExist: true, ...options });
  return { database, files, [Symbol.asyncDispose]: () => database.close() };
}

export const openFiles = async ({ files, database }: Settings<'database' | 'files'>): Promise<FileStore> =>
  files ? openFileStore(files) : openDefaultFileStore(database);
