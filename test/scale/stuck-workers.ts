// Workers that hang, die again and again, or lose their supervisor: npm run test:scale. Most of it is waiting.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Kind } from '../support/databases.ts';
import { childrenOf } from '../support/processes.ts';
import { waitFor } from '../support/waiting.ts';
import { errorsIn, isAlive, noLimits, startWorkers } from '../support/workers.ts';
import { countWorkers, readTitles, startLoad } from './load.ts';

const deathsIn = (lines: readonly string[]): string[] =>
  errorsIn(lines).filter((error) => error.includes('has ended'));

/** A child that is stopped before it has become a program of its own stops its supervisor too: vfork waits for that. */
const isWorker = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/environ`, 'utf8').includes('VITRINE_WORKER=');

const standstill = [
  'Worker 1 has stood still for 10 s: it is killed.',
  'Worker 1 has ended with SIGKILL, it is started again.',
];

/** A worker that stands still is killed and replaced, and requests go on. */
async function standStill(kind: Kind): Promise<void> {
  const workers = await startWorkers(kind, 2, ...noLimits);
  const { server } = workers;
  const [victim] = childrenOf(server.process.pid) as [number];
  const load = startLoad(workers, 100);
  await load.waitForWrites(20);
  process.kill(victim, 'SIGSTOP');
  await waitFor(() => !isAlive(victim));
  await waitFor(async () => (await countWorkers(server.port)) === 2);
  await load.waitForWrites(20);
  const { created, statuses } = await load.stop();

  expect(Object.keys(statuses).filter((status) => !['200', '201', '503', 'lost'].includes(status))).toEqual(
    [],
  );
  expect(await readTitles(server.port)).toEqual(expect.arrayContaining(created));
  expect(errorsIn(server.lines).filter((error) => error.startsWith('Worker'))).toEqual(standstill);
  expect(await server.stop()).toBe(0);
}

/** A new worker that hangs does not block SIGHUP. */
async function hangAtTheStart(): Promise<void> {
  const { server } = await startWorkers('SQLite', 2);
  const old = childrenOf(server.process.pid);
  server.process.kill('SIGHUP');
  const hanging = await waitFor(() =>
    childrenOf(server.process.pid).find((pid) => !old.includes(pid) && isWorker(pid)),
  );
  process.kill(hanging, 'SIGSTOP');
  await waitFor(() => errorsIn(server.lines).length === 2);
  expect(errorsIn(server.lines)).toEqual([
    'Worker 1 has been starting for 30 s: it is killed.',
    'Worker 1 could not be replaced: the old workers go on.',
  ]);
  expect(childrenOf(server.process.pid)).toEqual(old);

  server.process.kill('SIGHUP');
  await waitFor(() => server.lines.some((line) => line.includes('All workers have been replaced.')));
  expect(await server.stop()).toBe(0);
}

test('a worker that hangs is killed, when it serves or starts, and none because the machine slept', async () => {
  const hanging = hangAtTheStart();
  const { server } = await startWorkers('SQLite', 2);
  const workers = childrenOf(server.process.pid);
  const all = [server.process.pid, ...workers];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  // It sleeps for as long as it takes to find others that stand still.
  await Promise.all((['SQLite', 'PostgreSQL'] as const).map(standStill));
  for (const pid of all) process.kill(pid, 'SIGCONT');
  process.kill(workers[0] as number, 'SIGSTOP');
  await waitFor(() => deathsIn(server.lines).length > 0);
  expect(errorsIn(server.lines)).toEqual(standstill);
  await waitFor(async () => (await countWorkers(server.port)) === 2);
  expect(await server.stop()).toBe(0);
  await hanging;
});

test('no process stays behind when the supervisor is killed', async () => {
  const { server } = await startWorkers('SQLite', 3);
  const workers = childrenOf(server.process.pid);
  expect(workers).toHaveLength(3);
  await server.stop('SIGKILL');
  await waitFor(() => !workers.some(isAlive));
});

test('a worker that dies again and again is started more and more slowly, which is logged', async () => {
  const { server } = await startWorkers('SQLite', 2);
  for (let death = 1; death <= 4; death++) {
    await waitFor(() => childrenOf(server.process.pid).length === 2);
    process.kill(Math.max(...childrenOf(server.process.pid)), 'SIGKILL');
    await waitFor(() => deathsIn(server.lines).length === death);
  }
  expect(deathsIn(server.lines)).toEqual([
    'Worker 2 has ended with SIGKILL, it is started again.',
    'Worker 2 has ended with SIGKILL, it is started again.',
    'Worker 2 has ended with SIGKILL, the 3rd time within a minute: it is started again in 1 s.',
    'Worker 2 has ended with SIGKILL, the 4th time within a minute: it is started again in 2 s.',
  ]);
  expect(await server.stop()).toBe(0);
});
