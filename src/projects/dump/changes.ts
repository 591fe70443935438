// Dump lines for the change log: first the files with the oldest changes, then the changes that are in the log.

import sql from 'sql-template-tag';
import { maxSequentialId } from '#sql';
import { changeArchiveTable, changeTable } from '../../core/changes/tables.ts';
import { id, sha256, wholeNumber } from '../../core/dump/line-format.ts';
import { type ChangeLine, changeLine, changeLineColumns, formatChangeLine } from './change-line.ts';
import { exportTable, type LineKind } from './kind.ts';
import { tableKind } from './table-kind.ts';

const hash = sha256('a SHA-256');

/** The bytes of the files come last: see `bytesKind`. */
const changeArchiveKind = tableKind(
  changeArchiveTable,
  { last: wholeNumber(1, maxSequentialId), first: id, hash, bytes: id, change_hash: hash },
  {
    ownData: false,
    rights: 'none',
    describeChange: null,
    async write({ log, files, lineNumber }, rows) {
      for (const file of rows) {
        files.expect(lineNumber, file);
        await log.addArchive(lineNumber, file);
      }
    },
  },
);

/** A gallery without changes takes the log of the dump over: then the lines that follow are not entered as imported. */
const changeKind: LineKind<ChangeLine> = {
  format: changeLine,
  exporter: exportTable(changeTable, changeLineColumns, formatChangeLine, {
    count: sql`select last from change_head`,
  }),
  importBatch: ({ log }, batch) => log.addChanges(batch),
};

export const changeKinds: readonly LineKind[] = [{ ...changeArchiveKind, batchSize: 1 }, changeKind];
