// Bytes that no file has: what was taken away, and what was put for a request or an import that came to nothing.

import type { Database } from '../../database/open.ts';
import type { FileStore } from '../../files/open.ts';
import { findUsedHashes } from './find.ts';

/** Longer than anything takes that puts bytes first and writes down afterwards whose they are. */
const graceMs = 24 * 3600_000;

export function sweepFiles(database: Database, files: FileStore): Promise<void> {
  return files.removeUnused(Date.now() - graceMs, (names) => findUsedHashes(database, names));
}
