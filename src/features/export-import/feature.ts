import type { Feature } from '../../core/feature.ts';
import { exportCommand, importCommand } from './command.ts';

export const exportImport: Feature = {
  name: 'export-import',
  does: 'The operator writes the whole gallery into a file of lines, and reads such files.',
  neededBecause: 'a gallery is taken elsewhere, and backed up, as a dump',
  commands: [
    { after: 'serve', name: 'import', command: importCommand },
    { after: 'serve', name: 'export', command: exportCommand },
  ],
};
