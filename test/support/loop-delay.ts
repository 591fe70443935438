// Measures how long the main thread is busy without a pause, while the server handles requests: as long, all other
// requests wait. It counts the processor time of this thread, so that other programs on the machine do not matter.

import { setTimeout as sleep } from 'node:timers/promises';

const rounds = 3;

/** The shortest of several rounds, as garbage collection and compilation fall into some of them. */
export async function longestBlockMs(work: () => Promise<unknown>): Promise<number> {
  const results: number[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measureRound(work));
  return Math.min(...results);
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
