import type { Feature } from '../../core/feature.ts';
import { exportImport } from '../export-import/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { importTableCommand } from './command.ts';

export const tableImport: Feature = {
  name: 'table-import',
  does: 'The operator brings projects in as a table from a spreadsheet, with files beside it.',
  uses: [signIn, exportImport],
  commands: [{ after: 'import', name: 'import-table', command: importTableCommand }],
};
