// The seam between the places where people's files are kept: a folder, or S3. Everything above it knows a file by a
// name, the SHA-256 of its bytes: what has a name never changes.

import { OperatorError } from '../errors.ts';
import { folderAt, openFolder } from './folder.ts';
import { openS3 } from './s3.ts';

export interface Files {
  /** Safe when the promise is kept. What is there already is written again, and so is young again: see `sweep`. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** How many bytes it has; undefined when it is not there. */
  size(name: string): Promise<number | undefined>;
  /** Some of its bytes, from one up to another that is left out; they are read as they are sent. */
  stream(name: string, from: number, upTo: number): Blob | ReadableStream;
  /** The same at once. */
  bytes(name: string, from: number, upTo: number): Promise<Uint8Array>;
  /**
   * Takes away what was put before a moment (milliseconds since 1970) and is not used. Who puts something and then
   * writes down that it is used has until then: what is put again meanwhile stays.
   */
  sweep(before: number, used: (names: string[]) => Promise<ReadonlySet<string>>): Promise<void>;
}

/** Where the files of a gallery are, unless it is said. */
export function filesBeside(database: string): Files {
  return folderAt(/^postgres(ql)?:/.test(database) ? 'vitrine.files' : `${database}.files`);
}

export async function openFiles(place: string): Promise<Files> {
  if (place.startsWith('s3://')) return openS3(place);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(place) ?? [];
  if (scheme) throw new OperatorError(`The files must be in a folder or at s3://…, not ${scheme}:.`);
  return openFolder(place);
}
