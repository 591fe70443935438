// One of the processes that `serve --workers` starts: what the supervisor tells it, and how it reports back.

import { rmSync } from 'node:fs';
import { joinMemory, type SharedMemory, type SharedMemoryOptions } from '#common/shared-memory.ts';
import { startHeartbeat } from './heartbeats.ts';

/** The environment variable in which the supervisor gives a worker its options, as JSON. */
export const workerVariable = 'VITRINE_WORKER';

export interface WorkerOptions {
  /** From 1; the first one writes, and does the regular work. */
  readonly number: number;
  readonly port: number;
  readonly logsToTerminal: boolean;
  readonly memory: SharedMemoryOptions;
  /** Where its heartbeats are counted. */
  readonly slot: number;
}

export interface Worker extends Pick<WorkerOptions, 'number' | 'port' | 'logsToTerminal'> {
  readonly isFirst: boolean;
  /** Only this user may open it. The workers' shared files and the writer's socket are there. */
  readonly folder: string;
  readonly memory: SharedMemory;
  /** Tells the supervisor that this worker serves. The log of the server begins with the notices. */
  reportReady(notices: readonly string[]): void;
  /** Its supervisor has died. */
  readonly isOrphaned: boolean;
  /** Resolves with the exit code when the supervisor has died. Until it is called, the process ends by itself. */
  waitForOrphaned(): Promise<number>;
}

export function joinWorkers(json: string): Worker {
  const { number, port, logsToTerminal, memory: memoryOptions, slot } = JSON.parse(json) as WorkerOptions;
  // A terminal sends it to all processes: the supervisor decides what happens.
  process.on('SIGHUP', () => {});
  const { folder } = memoryOptions;
  const memory = joinMemory(memoryOptions);
  startHeartbeat(memory, slot);
  return {
    number,
    isFirst: number === 1,
    port,
    logsToTerminal,
    folder,
    memory,
    get isOrphaned() {
      return !process.connected;
    },
    reportReady: (notices) => process.send?.({ notices }),
    waitForOrphaned: () =>
      new Promise((resolve) => {
        const leave = () => {
          rmSync(folder, { recursive: true, force: true });
          resolve(0);
        };
        process.once('disconnect', leave);
        if (!process.connected) leave();
      }),
  };
}
