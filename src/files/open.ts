// The interface of the two file stores: a folder, and S3. The name of a file is the SHA-256 of its bytes, so that a file
// never changes.

import { OperatorError } from '../common/errors.ts';
import { createFolderStore, openFolderStore } from './folder.ts';
import { openS3Store } from './s3.ts';

export interface FileStore {
  /** The file is on disk when the promise resolves. An existing file is written again, so that it counts as new for `removeUnused`. */
  put(name: string, content: Uint8Array | Blob): Promise<void>;
  /** The size in bytes; undefined if the file does not exist. */
  size(name: string): Promise<number | undefined>;
  /** The bytes from `start` to `end` (exclusive), read while they are sent. */
  stream(name: string, start: number, end: number): Blob | ReadableStream;
  /** The same bytes in memory. */
  read(name: string, start: number, end: number): Promise<Uint8Array>;
  /**
   * Deletes the files that were put before a time (milliseconds since 1970) and are not used. A file that is put again
   * meanwhile stays. A file is put before the row that uses it is written: `before` must leave time for that.
   */
  removeUnused(before: number, findUsed: (names: string[]) => Promise<ReadonlySet<string>>): Promise<void>;
}

/** The file store beside the database, for galleries without the setting. */
export function openDefaultFileStore(database: string): FileStore {
  return createFolderStore(defaultFolder(database));
}

export function defaultFolder(database: string): string {
  return /^postgres(ql)?:/.test(database) ? 'vitrine.files' : `${database}.files`;
}

export async function openFileStore(location: string): Promise<FileStore> {
  if (location.startsWith('s3://')) return openS3Store(location);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location) ?? [];
  if (scheme) throw new OperatorError(`The files must be in a folder or at s3://…, not ${scheme}:.`);
  return openFolderStore(location);
}
