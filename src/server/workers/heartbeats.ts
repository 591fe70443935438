// A worker whose thread stands still (an endless loop, SIGSTOP) keeps its share of the connections and answers none. So each
// worker counts up a number in the shared memory, and its supervisor looks whether it still does.

import type { SharedMemory } from '#common/shared-memory.ts';

const beatMs = 500;
/** More than there are processes while all workers are replaced. */
const maxProcesses = 256;

const openBeats = (memory: SharedMemory) => memory.open('heartbeats', maxProcesses);

/** `slot` is the index of the worker's number among those of all workers. */
export function startHeartbeat(memory: SharedMemory, slot: number): void {
  const beats = openBeats(memory);
  setInterval(() => Atomics.add(beats, slot, 1n), beatMs).unref();
}

const checkMs = 1000;
/** Far more than any request may hold the thread. */
const maxSilentSeconds = 10;
const maxStartSeconds = 30;

export interface WatchedWorker {
  readonly number: number;
  readonly slot: number;
  readonly child: { kill(signal: 'SIGKILL'): void };
  isServing: boolean;
}

interface State {
  beat: bigint;
  isServing: boolean;
  /** Since the last beat, or since the start of one that does not serve yet. */
  seconds: number;
}

/**
 * Kills workers that stand still. It counts its own checks rather than time: while the whole machine sleeps, nobody is
 * silent.
 */
export function watchHeartbeats(
  memory: SharedMemory,
  listWorkers: () => Iterable<WatchedWorker>,
  report: (message: string) => void,
): void {
  const beats = openBeats(memory);
  const states = new WeakMap<WatchedWorker, State>();
  const check = (worker: WatchedWorker) => {
    const { number, slot, isServing, child } = worker;
    const beat = Atomics.load(beats, slot);
    const last = states.get(worker);
    const isAlive = isServing && (!last?.isServing || last.beat !== beat);
    const seconds = isAlive || !last ? 0 : last.seconds + 1;
    states.set(worker, { beat, isServing, seconds });
    const maxSeconds = isServing ? maxSilentSeconds : maxStartSeconds;
    if (seconds !== maxSeconds) return;
    const fault = isServing ? 'has stood still' : 'has been starting';
    report(`Worker ${number} ${fault} for ${seconds} s: it is killed.`);
    child.kill('SIGKILL');
  };
  setInterval(() => {
    for (const worker of listWorkers()) check(worker);
  }, checkMs).unref();
}
