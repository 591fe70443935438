// The commands of the program.

import { versionCommand } from '../../src/server/commands/version.ts';
import { adoptCommand } from './adopt-command.ts';
import { shadowCommand } from './shadow-command.ts';
import { tableCommand } from './table-command.ts';

export const moving = {
  name: 'vitrine-moving',
  introduction:
    'Moves a gallery in from an old site, by the API of that site or by what its program exports.',
  commands: { adopt: adoptCommand, shadow: shadowCommand, table: tableCommand, version: versionCommand },
};
