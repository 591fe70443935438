// Measures how long the main thread is busy without a pause, while the server handles requests: as long, all other
// requests wait. It counts the processor time of this thread, so that other programs on the machine do not matter.

import { setTimeout as sleep } from 'node:timers/promises';

const maxRounds = 6;

/**
 * The longest time without a pause, in the best of several rounds: garbage collection, compilation and the neighbours of
 * a shared processor fall into some of them. Stops as soon as a round is below the limit.
 */
export async function longestBlockMs(work: () => Promise<unknown>, limitMs: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxRounds && best >= limitMs; round++)
    best = Math.min(best, await measureRound(work));
  return best;
}

async function measureRound(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = threadMs();
  const timer = setInterval(() => {
    const now = threadMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  await sleep(5);
  longest = 0;
  try {
    await work();
    await sleep(2);
  } finally {
    clearInterval(timer);
  }
  return longest;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
