// `vitrine-moving`: moves a gallery in from an old site, by the API of that site.

import { runProgram } from '../src/commands/run-program.ts';
import { versionCommand } from '../src/commands/version.ts';
import { adoptCommand } from './src/adopt-command.ts';
import { shadowCommand } from './src/shadow-command.ts';

const moving = {
  name: 'vitrine-moving',
  introduction: 'Moves a gallery in from an old site, by the API of that site.',
  commands: { adopt: adoptCommand, shadow: shadowCommand, version: versionCommand },
};

process.exitCode = await runProgram(moving, process.argv.slice(2), process.env);
