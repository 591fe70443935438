// The seam between the places where people's files are kept: a folder, or S3. Everything above it knows a file by a
// name, the SHA-256 of its bytes: what has a name never changes.

import { OperatorError } from '../errors.ts';
import { createFolderStore, openFolderStore } from './folder.ts';
import { openS3Store } from './s3.ts';

export interface FileStore {
  /** Safe when the promise is kept. What is there already is written again, and so is young again: see `sweep`. */
  put(name: string, read: Uint8Array): Promise<void>;
  /** How many bytes it has; undefined when it is not there. */
  size(name: string): Promise<number | undefined>;
  /** Some of its bytes, from one up to another that is left out; they are read as they are sent. */
  stream(name: string, start: number, end: number): Blob | ReadableStream;
  /** The same at once. */
  read(name: string, start: number, end: number): Promise<Uint8Array>;
  /**
   * Takes away what was put before a moment (milliseconds since 1970) and is not used. Who puts something and then
   * writes down that it is used has until then: what is put again meanwhile stays.
   */
  removeUnused(before: number, findUsed: (names: string[]) => Promise<ReadonlySet<string>>): Promise<void>;
}

/** Where the files of a gallery are, unless it is said. */
export function openDefaultFileStore(database: string): FileStore {
  return createFolderStore(/^postgres(ql)?:/.test(database) ? 'vitrine.files' : `${database}.files`);
}

export async function openFileStore(location: string): Promise<FileStore> {
  if (location.startsWith('s3://')) return openS3Store(location);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location) ?? [];
  if (scheme) throw new OperatorError(`The files must be in a folder or at s3://…, not ${scheme}:.`);
  return openFolderStore(location);
}
