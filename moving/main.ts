// `vitrine-moving`: moves a gallery in from an old site, by the API of that site or by what its program exports.

import { runProgram } from '../src/commands/run-program.ts';
import { versionCommand } from '../src/commands/version.ts';
import { adoptCommand } from './src/adopt-command.ts';
import { shadowCommand } from './src/shadow-command.ts';
import { tableCommand } from './src/table-command.ts';

const moving = {
  name: 'vitrine-moving',
  introduction:
    'Moves a gallery in from an old site, by the API of that site or by what its program exports.',
  commands: { adopt: adoptCommand, shadow: shadowCommand, table: tableCommand, version: versionCommand },
};

process.exitCode = await runProgram(moving, process.argv.slice(2), process.env);
