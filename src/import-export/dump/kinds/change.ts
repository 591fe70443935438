// Dump lines for the change log. They come first: a gallery without changes takes the log of the dump over, and then
// the lines that follow are not entered as imported.

import sql from 'sql-template-tag';
import { changeTable } from '../../../database/schema.ts';
import {
  type ChangeLine,
  changeLine,
  changeLineColumns,
  formatChangeLine,
} from '../../../gallery/change-line.ts';
import { exportTable, type LineKind } from '../kind.ts';

export const changeKind: LineKind<ChangeLine> = {
  format: changeLine,
  exporter: exportTable(changeTable, changeLineColumns, formatChangeLine, {
    count: sql`select last from change_head`,
  }),

  importBatch: ({ log }, batch) => log.addChanges(batch),
};
