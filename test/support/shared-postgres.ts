// One PostgreSQL for a test run, shared by all its processes. The first process that needs it starts a keeper
// (postgres-keeper.ts), which stops the server when the run ends, even if the run is killed.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'bun';
import { waitFor } from './waiting.ts';

/** `bun test --parallel` starts workers and ends after them; without it this process is the run. */
export const run = process.env.BUN_TEST_WORKER_ID ? process.ppid : process.pid;
const folder = join(tmpdir(), `vitrine-test-run-${run}`);

let address: Promise<string> | undefined;

/** The address of one of the shared server's databases. */
export async function postgresAddress(database = 'postgres'): Promise<string> {
  address ??= findOrStart();
  return `${await address}/${database}`;
}

let client: Bun.SQL | undefined;

/** Runs one statement on the shared server. */
export async function onPostgres<Row>(statement: string, values: unknown[] = []): Promise<Row[]> {
  client ??= new Bun.SQL({ url: await postgresAddress(), max: 1 });
  return client.unsafe(statement, values);
}

export async function closePostgres(): Promise<void> {
  await client?.close({ timeout: 0 });
  client = undefined;
}

const findOrStart = (): Promise<string> =>
  waitFor(() => {
    const [keeper, found] = [read('keeper'), read('address')];
    if (keeper && !isRunning(Number(keeper))) {
      const log = read('log');
      rmSync(folder, { recursive: true, force: true });
      // A folder with an address is left from an earlier run with the same process id, whose keeper was killed.
      if (!found) throw new Error(`PostgreSQL did not start: ${log}`);
    } else if (found) return found;
    if (isFirst()) startKeeper();
    return undefined;
  });

/** Only one of several processes can create the folder. */
function isFirst(): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function startKeeper(): void {
  const keeper = spawn([process.execPath, join(import.meta.dir, 'postgres-keeper.ts'), String(run), folder], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: Bun.file(join(folder, 'log')),
    // Ctrl-C ends the run only; the keeper notices that the run has ended.
    detached: true,
  });
  keeper.unref();
}

function read(name: string): string | undefined {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
