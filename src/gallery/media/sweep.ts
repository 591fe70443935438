// Bytes that no file has: what was taken away, and what was put for a request or an import that came to nothing.

import type { Database } from '../../database/open.ts';
import type { Files } from '../../files/open.ts';
import { usedOf } from './find.ts';

/** Longer than anything takes that puts bytes first and writes down afterwards whose they are. */
const grace = 24 * 3600_000;

export function sweepFiles(database: Database, files: Files): Promise<void> {
  return files.sweep(Date.now() - grace, (names) => usedOf(database, names));
}
