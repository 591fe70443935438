// The interface of the two file stores: a folder, and S3. The name of a file is the SHA-256 of its bytes, so that a file
// never changes.
export interface FileStore {
  /** The file is on disk when the promise resolves. An existing file is written again, so that it counts as new for `removeOld`. */
  put(name: string, content: Uint8Array | Blob): Promise<void>;
  /** The size in bytes; undefined if the file does not exist. */
  size(name: string): Promise<number | undefined>;
  /** The bytes from `start` to `end` (exclusive), read while they are sent. */
  stream(name: string, start: number, end: number): Blob | ReadableStream;
  /** An address at which everybody can get the file for some seconds, with these of the headers; only a bucket has one. */
  sign?(name: string, seconds: number, headers: Readonly<Record<string, string>>): string;
  /** The same bytes in memory. */
  read(name: string, start: number, end: number): Promise<Uint8Array>;
  /** Throws if a file could not be put now; only a folder knows that at once. */
  requireWritable?(): void;
  /** The names of all files that were put before a time (milliseconds since 1970), some at a time. */
  listOld(before: number): AsyncGenerator<string[]>;
  /**
   * Deletes a file that was put before a time; false if it was put later. A file is put before the row that uses it is
   * written: `before` must leave time for that.
   */
  removeOld(name: string, before: number): Promise<boolean>;
}

/** Whether a file is ours, by its name: a SHA-256. Other files in the same place are never deleted. */
export const isFileName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

/** Deletes the files that were put before a time and are not used. Returns how many. */
export async function removeUnused(
  files: FileStore,
  before: number,
  findUsed: (names: string[]) => Promise<ReadonlySet<string>>,
  { isTrial = false } = {},
): Promise<number> {
  let removed = 0;
  for await (const names of files.listOld(before)) {
    const used = await findUsed(names);
    for (const name of names)
      if (!used.has(name) && (isTrial || (await files.removeOld(name, before)))) removed++;
  }
  return removed;
}
