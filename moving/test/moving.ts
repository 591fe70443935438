// The program of this package, as people start it in the repository.

import { join } from 'node:path';
import { resultOf, start } from '../../test/support/server.ts';

export const moving = [process.execPath, join(import.meta.dir, '../main.ts')];

/** Runs a command to its end. */
export const run = (...args: string[]) => resultOf(start([...moving, ...args], 'ignore'));
