import { firstLine, type LastLine, lastLine } from '../frame.ts';
import type { LineKind } from '../kind.ts';

/** The first and the last line are imported as others are; an export writes them itself. */
export const frameKinds: readonly LineKind[] = [
  {
    format: firstLine,
    batchSize: 1,
    async importBatch({ frame }, batch) {
      for (const { lineNumber } of batch) frame.begin(lineNumber);
    },
  },
  {
    format: lastLine,
    batchSize: 1,
    async importBatch({ frame }, batch) {
      for (const { lineNumber, entry } of batch) frame.end(lineNumber, entry);
    },
  } satisfies LineKind<LastLine>,
];
