import { vitrine } from './commands/index.ts';
import { runProgram } from './commands/run-program.ts';

process.exitCode = await runProgram(vitrine, process.argv.slice(2), process.env);
