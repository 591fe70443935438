// Starts a PostgreSQL for a test run, and stops it when the process of the run is gone.

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PostgresServer } from './postgres-server.ts';
import { isRunning } from './shared-postgres.ts';

const [run = '', folder = ''] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

write('keeper', String(process.pid));
const server = await PostgresServer.start();
await server.query('create table idle_database (name text primary key, reset text not null)');
write('address', server.address('').replace(/\/$/, ''));
while (isRunning(Number(run))) await Bun.sleep(250);
await server.stop();
rmSync(folder, { recursive: true, force: true });

/** As a whole or not at all: others wait for it. */
function write(name: string, text: string): void {
  const path = join(folder, name);
  writeFileSync(`${path}.unfinished`, text);
  renameSync(`${path}.unfinished`, path);
}
