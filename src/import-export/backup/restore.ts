// Restores a backup that was verified. Files come first: if the restore is killed, the database is still empty, and the
// next attempt writes them again.

import { OperatorError } from '../../common/errors.ts';
import type { Database } from '../../database/database.ts';
import type { FileStore } from '../../files/store.ts';
import { decompress } from '../dump/dump-input.ts';
import { type ImportCounts, importDump } from '../dump/import.ts';
import { copyFiles, type StoredFile } from './copy-files.ts';
import { fileNames, type Manifest } from './manifest.ts';
import type { FoundBackup } from './open.ts';

export async function restoreBackup(
  { database, files }: { database: Database; files: FileStore },
  { place, backup }: FoundBackup,
  verified: { readonly manifest: Manifest; readonly files: readonly StoredFile[] },
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
