// Deletes bytes that no file refers to: of deleted files, and of requests or imports that failed.

import type { Database } from '../../database/database.ts';
import type { FileStore } from '../../files/store.ts';
import { findUsedHashes } from './find.ts';

/** Longer than any request or import between writing bytes and committing the rows that refer to them. */
const graceMs = 24 * 3600_000;

export function sweepFiles(database: Database, files: FileStore): Promise<void> {
  return files.removeUnused(Date.now() - graceMs, (names) => findUsedHashes(database, names));
}
