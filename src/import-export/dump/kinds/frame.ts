import sql from 'sql-template-tag';
import { changeTable } from '../../../database/schema.ts';
import {
  type ChangeLine,
  changeLine,
  changeLineColumns,
  formatChangeLine,
} from '../../../gallery/change-line.ts';
import { firstLine, type LastLine, lastLine } from '../frame.ts';
import { exportTable, type LineKind } from '../kind.ts';

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

// Dump lines for the change log. They come first: a gallery without changes takes the log of the dump over, and then
// the lines that follow are not entered as imported.

export const changeKind: LineKind<ChangeLine> = {
  format: changeLine,
  exporter: exportTable(changeTable, changeLineColumns, formatChangeLine, {
    count: sql`select last from change_head`,
  }),

  importBatch: ({ log }, batch) => log.addChanges(batch),
};
