// Starts a PostgreSQL for a test run. When the process of the run ends, stops the server and removes the run's files.

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFilesOfRun } from './memory-folder.ts';
import { PostgresServer } from './postgres-server.ts';
import { isRunning } from './shared-postgres.ts';

const [run = '', folder = ''] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

write('keeper', String(process.pid));
const server = await PostgresServer.start();
write('address', server.address('').replace(/\/$/, ''));
while (isRunning(Number(run))) await Bun.sleep(250);
await server.stop();
rmSync(folder, { recursive: true, force: true });
removeFilesOfRun(Number(run));

/** Writes the whole file in one step, because other processes wait for it. */
function write(name: string, text: string): void {
  const path = join(folder, name);
  writeFileSync(`${path}.unfinished`, text);
  renameSync(`${path}.unfinished`, path);
}
