import './features/index.ts';
import { vitrine } from './server/commands/index.ts';
import { runProgram } from './server/commands/run-program.ts';

process.exitCode = await runProgram(vitrine, process.argv.slice(2), process.env);
