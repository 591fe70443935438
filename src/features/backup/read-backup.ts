// Reads the small parts of a backup.

import { isForbidden, OperatorError } from '#common/errors.ts';
import type { Database } from '#sql';
import { RefusedLine } from '../../core/dump/problems.ts';
import { splitLines } from '../../core/dump/split-lines.ts';
import type { FileStore } from '../../core/files/store.ts';
import { decompress } from '../export-import/dump-file.ts';
import { type ImportCounts, importDump } from '../export-import/import.ts';
import { type BackedUpFile, copyFiles } from './copy-files.ts';
import { type FileName, fileNames, type Manifest, parseListLine, parseManifest } from './manifest.ts';
import { isOwnBackup, type Owner } from './origins.ts';
import type { BackupPlace, FoundBackup } from './place.ts';

const maxBytes = 1024 * 1024;

/** Undefined if it is missing; empty if it is larger than a manifest or a signature can be. */
export async function readSmall(place: BackupPlace, backup: string, file: FileName) {
  const size = await place.size(backup, file);
  if (size === undefined) return undefined;
  return size > maxBytes ? new Uint8Array() : new Response(place.stream(backup, file, size)).bytes();
}

/** Undefined if the backup is unfinished. `manifest` is a sentence if it cannot be used. */
export async function readManifest(place: BackupPlace, backup: string) {
  const bytes = await readSmall(place, backup, fileNames.manifest);
  return bytes && { bytes, manifest: parseManifest(bytes) };
}

/** What there is, the oldest first, but for what has a manifest that cannot be used. */
interface Survey {
  readonly own: string[];
  readonly unfinished: string[];
  readonly ofOthers: string[];
  /** This user may not look into these folders. */
  readonly unreadable: string[];
}

export async function surveyPlace(place: BackupPlace, owner: Owner): Promise<Survey> {
  const survey: Survey = { own: [], unfinished: [], ofOthers: [], unreadable: [] };
  for (const backup of await place.list()) {
    const kind = await findKind(place, backup, owner);
    if (kind) survey[kind].push(backup);
  }
  return survey;
}

async function findKind(place: BackupPlace, backup: string, owner: Owner): Promise<keyof Survey | undefined> {
  try {
    const read = await readManifest(place, backup);
    if (!read) return 'unfinished';
    if (typeof read.manifest === 'string') return undefined;
    return isOwnBackup(owner, backup, read.manifest) ? 'own' : 'ofOthers';
  } catch (error) {
    if (isForbidden(error)) return 'unreadable';
    throw error;
  }
}

/** Whether another gallery may have backups there, and be making one just now. */
export const isShared = ({ ofOthers, unreadable }: Survey): boolean =>
  ofOthers.length > 0 || unreadable.length > 0;

export function describeUnreadable(place: BackupPlace, [first = '', ...more]: readonly string[]): string {
  const others = more.length > 0 ? `, and ${more.length} more,` : '';
  return `${place.addressOf(first)}${others} cannot be read: it may be of another gallery, and no file is deleted.`;
}

export const unreadableAdvice =
  'Give it to the user of the server with chown, or delete it if it is of another gallery.';

/** The hashes of a backup's files. Undefined if the list is missing. */
export async function readList(
  place: BackupPlace,
  backup: string,
): Promise<{ names: Set<string>; sha256: string; isIntact: boolean } | undefined> {
  const size = await place.size(backup, fileNames.list);
  if (size === undefined) return undefined;
  const names = new Set<string>();
  const hasher = new Bun.CryptoHasher('sha256');
  let isIntact = true;
  try {
    for await (const { lines, bytes } of splitLines(place.stream(backup, fileNames.list, size), refuse)) {
      hasher.update(bytes);
      for (const line of lines) {
        const name = parseListLine(line);
        if (name) names.add(name);
        else isIntact = false;
      }
    }
  } catch (error) {
    if (!(error instanceof RefusedLine)) throw error;
    isIntact = false;
  }
  return { names, sha256: hasher.digest('hex'), isIntact };
}

function refuse(lineNumber: number, reason: string): never {
  throw new RefusedLine(fileNames.list, lineNumber, reason);
}

// Restores a backup that was verified. Files come first: if the restore is killed, the database is still empty, and the
// next attempt writes them again.

export async function restoreBackup(
  { database, files }: { database: Database; files: FileStore },
  { place, backup }: FoundBackup,
  verified: { readonly manifest: Manifest; readonly files: readonly BackedUpFile[] },
): Promise<ImportCounts> {
  // Also those that are there, so that the sweep of a running server takes them for new ones.
  const { lost } = await copyFiles(place.files, files, verified.files, { always: true });
  if (lost[0]) throw new OperatorError(`The file ${lost[0].hash} was damaged after it was verified.`);
  const missing = new Map(verified.manifest.missing.map(({ hash, bytes }) => [hash, bytes]));
  const target = {
    put: files.put.bind(files),
    size: async (hash: string) => missing.get(hash) ?? files.size(hash),
  };
  const dump = decompress(fileNames.dump, place.stream(backup, fileNames.dump, verified.manifest.dump_bytes));
  return importDump(database, target, fileNames.dump, dump, { intoEmpty: true });
}
