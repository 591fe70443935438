// Reads the small parts of a backup.

import { OperatorError } from '#common/errors.ts';
import type { Database } from '#sql';
import { RefusedLine } from '../../core/dump/problems.ts';
import { splitLines } from '../../core/dump/split-lines.ts';
import type { FileStore } from '../../core/files/store.ts';
import { decompress } from '../export-import/dump-file.ts';
import { type ImportCounts, importDump } from '../export-import/import.ts';
import { type BackedUpFile, copyFiles } from './copy-files.ts';
import { type FileName, fileNames, type Manifest, parseListLine, parseManifest } from './manifest.ts';
import type { Owner } from './origins.ts';
import { isOwnBackup } from './origins.ts';
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

/** Whether there are finished backups of another gallery. It may be making one just now. */
export async function hasOtherGalleries(place: BackupPlace, owner: Owner): Promise<boolean> {
  for (const backup of await place.list()) {
    const { manifest } = (await readManifest(place, backup)) ?? {};
    if (typeof manifest === 'object' && !isOwnBackup(owner, backup, manifest)) return true;
  }
  return false;
}

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
