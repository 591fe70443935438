// Workers that hang, die again and again, or lose their supervisor: npm run test:scale. Most of it is waiting.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { childrenOf } from '../support/processes.ts';
import { errorsIn, isAlive, startWorkers, waitFor } from '../support/workers.ts';

const deathsIn = (lines: readonly string[]): string[] =>
  errorsIn(lines).filter((error) => error.includes('has ended'));

/** A child that is stopped before it has become a program of its own stops its supervisor too: vfork waits for that. */
const isWorker = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/environ`, 'utf8').includes('VITRINE_WORKER=');

test('a new worker that hangs does not block SIGHUP, and nobody is killed because the machine slept', async () => {
  const { server } = await startWorkers('SQLite', 2);
  const old = childrenOf(server.process.pid);
  server.process.kill('SIGHUP');
  const findNew = () => childrenOf(server.process.pid).find((pid) => !old.includes(pid) && isWorker(pid));
  await waitFor(() => findNew() !== undefined);
  const hanging = findNew() as number;
  process.kill(hanging, 'SIGSTOP');
  await Bun.sleep(5000);
  const all = [server.process.pid, ...old];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  await Bun.sleep(12_000);
  for (const pid of all) process.kill(pid, 'SIGCONT');
  await waitFor(() => errorsIn(server.lines).length === 2, 40_000);
  expect(errorsIn(server.lines)).toEqual([
    'Worker 1 has been starting for 30 s: it is killed.',
    'Worker 1 could not be replaced: the old workers go on.',
  ]);
  expect(childrenOf(server.process.pid)).toEqual(old);

  server.process.kill('SIGHUP');
  await waitFor(() => server.lines.some((line) => line.includes('All workers have been replaced.')));
  expect(await server.stop()).toBe(0);
}, 90_000);

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
}, 30_000);
