// Where backups are: in a folder or in a bucket. Each backup is a folder there, named by its time; `files` has the
// uploaded files of all backups, once by content.

import type { FileDigest } from '../../files/hash.ts';
import type { FileStore } from '../../files/store.ts';
import { formatInstant, type Instant } from '../../gallery/instant.ts';
import type { FileName } from './manifest.ts';

export interface BackupPlace {
  /** The absolute path of the folder, or the URL of the bucket. */
  readonly address: string;
  addressOf(backup: string): string;
  readonly files: FileStore;
  /** The backups, finished or not, the oldest first. */
  list(): Promise<string[]>;
  size(backup: string, file: FileName): Promise<number | undefined>;
  stream(backup: string, file: FileName, size: number): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** `write` fills the file at the path. It is on disk when the promise resolves. */
  store(backup: string, file: FileName, write: (path: string) => Promise<void>): Promise<FileDigest>;
  /** Deletes the files that a backup consists of, the manifest first, and nothing else. */
  remove(backup: string): Promise<void>;
}

const namePattern = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/** Sorted by name, backups are sorted by time. */
export const backupName = (at: Instant): string =>
  `${formatInstant(at, 'UTC').slice(0, 23).replaceAll(/[:.]/g, '-')}Z`;

export const isBackupName = (name: string): boolean => namePattern.test(name);

export const timeOfBackup = (name: string): Date =>
  new Date(name.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/, 'T$1:$2:$3.$4Z'));
