// The program of this package, as people start it in the repository.

import { join } from 'node:path';
import { runInProcess } from '../../test/support/in-process.ts';
import { moving as program } from '../src/program.ts';

export const moving = [process.execPath, join(import.meta.dir, '../main.ts')];

/** Runs a command to its end, in this process. */
export const run = (...args: string[]) => runInProcess(args, {}, program);
