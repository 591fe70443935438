import { readFileSync } from 'node:fs';

/** The ids of the processes that a process has started. */
export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

/** How much processor time a process has taken, in milliseconds. */
export function processorMs(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number) as [number, number];
  // The system counts in hundredths of a second.
  return (user + system) * 10;
}

let ports = 0;

/**
 * A port for a server of this process, also while the server is killed and started again: the system gives none of these
 * to anybody who asks for any port, and other test processes have others.
 */
export function freePort(): number {
  for (;;) {
    const port = 10_000 + (process.pid % 200) * 100 + (ports++ % 100);
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // It is taken.
    }
  }
}

/** Starts something on a free port, and on another one if somebody has taken it meanwhile. */
export async function onFreePort<Result>(
  start: (port: number) => Promise<Result>,
): Promise<[Result, number]> {
  for (let tries = 1; ; tries++) {
    const port = freePort();
    try {
      return [await start(port), port];
    } catch (error) {
      if (tries === 10 || !/EADDRINUSE|is taken/.test(String(error))) throw error;
    }
  }
}
