import '../src/features/index.ts';
// `vitrine-moving`: moves a gallery in from an old site, by the API of that site or by what its program exports.

import { runProgram } from '../src/server/commands/run-program.ts';
import { moving } from './src/program.ts';

process.exitCode = await runProgram(moving, process.argv.slice(2), process.env);
