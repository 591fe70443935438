import { type BytesLine, bytesLine } from '../../../gallery/media/bytes-line.ts';
import type { LineKind } from '../kind.ts';

/** Exported with the media lines that need them. */
export const bytesKind: LineKind<BytesLine> = {
  format: bytesLine,
  batchSize: 1,

  async importBatch({ files }, batch) {
    for (const { lineNumber, entry } of batch) await files.addBytes(lineNumber, entry);
  },

  describeChange: () => ({ subject: 0 }),
  finishImport: ({ files, lineNumber }) => files.finish(lineNumber),
};
