// Measures how long the main thread is busy without a pause, while the server handles requests: as long, all other
// requests wait. It counts the processor time of this thread, so that other programs on the machine do not matter. Where
// the limit is exceeded, the machine is measured as well: a slower one is forgiven as much as it is slower just then, and
// a virtual one what its page faults cost more.

import { setTimeout as sleep } from 'node:timers/promises';

/** A project has room for so many files. */
const maxRounds = 10;

/** A time without a pause. */
interface Block {
  readonly ms: number;
  readonly pageFaults: number;
}

/**
 * The longest time without a pause, in the best of several rounds: garbage collection, compilation and the neighbours of
 * a shared processor fall into some of them. Stops as soon as a round is below the limit. In milliseconds of the machine
 * whose limits are documented.
 */
export async function longestBlockMs(work: () => Promise<unknown>, limitMs: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxRounds && best >= limitMs; round++) {
    const blocks = await measureRound(work);
    const longest = Math.max(...blocks.map(({ ms }) => ms));
    best = Math.min(best, longest < limitMs ? longest : longestOnKnownMachine(blocks));
  }
  return best;
}

async function measureRound(work: () => Promise<unknown>): Promise<Block[]> {
  const blocks: Block[] = [];
  let before = { ms: threadMs(), pageFaults: countPageFaults() };
  const timer = setInterval(() => {
    const now = { ms: threadMs(), pageFaults: countPageFaults() };
    blocks.push({ ms: now.ms - before.ms, pageFaults: now.pageFaults - before.pageFaults });
    before = now;
  }, 1);
  await sleep(5);
  blocks.length = 0;
  try {
    await work();
    await sleep(2);
  } finally {
    clearInterval(timer);
  }
  return blocks;
}

function longestOnKnownMachine(blocks: readonly Block[]): number {
  const pageFaultMs = Math.max(0, measurePageFaultMs() - knownPageFaultMs);
  const slowness = measureSlowness();
  return Math.max(...blocks.map(({ ms, pageFaults }) => (ms - pageFaults * pageFaultMs) / slowness));
}

const countPageFaults = () => process.resourceUsage().minorPageFault;

/** Without virtualization. */
const knownPageFaultMs = 0.001;
const touchedBytes = 32 * 1024 * 1024;

/** How long the system takes at most to give this thread a page of memory: memory that it had already says nothing. */
function measurePageFaultMs(): number {
  const kept: Uint8Array[] = [];
  let slowest = 0;
  for (let tries = 0; tries < 4; tries++) {
    const before = { ms: threadMs(), pageFaults: countPageFaults() };
    kept.push(new Uint8Array(touchedBytes).fill(1));
    const pageFaults = countPageFaults() - before.pageFaults;
    if (pageFaults > touchedBytes / 8192) slowest = Math.max(slowest, (threadMs() - before.ms) / pageFaults);
  }
  return slowest;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Enough to compile the work, and to measure it where the system counts in steps of four milliseconds. */
const knownWorkRounds = 12;
/** On the machine whose limits are documented. */
const knownWorkMs = 80;

/** How many times as long as on that machine a known piece of work takes; 1 on a faster one. */
function measureSlowness(): number {
  for (let round = 0; round < knownWorkRounds; round++) doKnownWork();
  const before = threadMs();
  for (let round = 0; round < knownWorkRounds; round++) doKnownWork();
  return Math.max(1, (threadMs() - before) / knownWorkMs);
}

const knownRecords = Array.from({ length: 800 }, (_, id) => ({
  id,
  title: `Käse & Brot ${id}`,
  text: 'a b\u0301 漢字 '.repeat(20),
}));

/** The kinds of work of a request, in small: JSON, words of several scripts, escaping, hashing. */
function doKnownWork(): number {
  const text = JSON.stringify(knownRecords);
  const words = new Map<string, number>();
  for (const record of JSON.parse(text) as typeof knownRecords)
    for (const word of record.text.normalize('NFKD').toLowerCase().split(/\s+/u))
      words.set(word, (words.get(word) ?? 0) + 1);
  const escaped = text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return words.size + new Bun.CryptoHasher('sha256').update(escaped).digest().length;
}
