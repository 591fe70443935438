// Measures how long the main thread is busy without a pause, while the server handles requests: as long, all other
// requests wait. The measure is a known piece of work, which takes 50 milliseconds on the machine whose limits are
// documented; a quarter of it is done before each round, and one after it. Both are processor time of this thread: neither
// a slow machine nor other programs on it change the result. On a virtual machine, page faults may cost more: these
// costs are left out.

import { setTimeout as sleep } from 'node:timers/promises';

/** A project has room for so many files. */
const maxRounds = 10;

/** A time without a pause. */
interface Block {
  readonly ms: number;
  readonly pageFaults: number;
}

/**
 * The longest time without a pause, as a multiple of the known work, in the best of several rounds: garbage collection,
 * compilation and the neighbours of a shared processor fall into some of them. Stops as soon as a round is below 1.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < maxRounds && best >= 1; round++) {
    const before = measureQuarter();
    const blocks = await measureRound(work);
    const knownMs = 2 * (before + measureQuarter());
    const longestMs = Math.max(...blocks.map(({ ms }) => ms));
    best = Math.min(best, (longestMs < knownMs ? longestMs : withoutPageFaults(blocks)) / knownMs);
  }
  return best;
}

/** The processor time of each, as a multiple of the known work. */
export function costsOf(works: readonly (() => unknown)[]): number[] {
  const before = measureQuarter();
  const times = works.map((work) => {
    const startedAt = threadMs();
    work();
    return threadMs() - startedAt;
  });
  const knownMs = 2 * (before + measureQuarter());
  return times.map((ms) => ms / knownMs);
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

/** The longest, without what page faults cost more here. */
function withoutPageFaults(blocks: readonly Block[]): number {
  const pageFaultMs = Math.max(0, measurePageFaultMs() - knownPageFaultMs);
  return Math.max(...blocks.map(({ ms, pageFaults }) => ms - pageFaults * pageFaultMs));
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

/** So many of them take 50 ms on the machine whose limits are documented. */
const knownParts = 8;
let isCompiled = false;

/** The processor time of a quarter of the known work. */
function measureQuarter(): number {
  for (let part = 0; !isCompiled && part < 2 * knownParts; part++) doPart();
  isCompiled = true;
  const startedAt = threadMs();
  for (let part = 0; part < knownParts / 4; part++) doPart();
  return threadMs() - startedAt;
}

const knownRecords = Array.from({ length: 800 }, (_, id) => ({
  id,
  title: `Käse & Brot ${id}`,
  text: 'a b\u0301 漢字 '.repeat(20),
}));

/** The kinds of work of a request, in small: JSON, words of several scripts, escaping, hashing. */
function doPart(): number {
  const text = JSON.stringify(knownRecords);
  const words = new Map<string, number>();
  for (const record of JSON.parse(text) as typeof knownRecords)
    for (const word of record.text.normalize('NFKD').toLowerCase().split(/\s+/u))
      words.set(word, (words.get(word) ?? 0) + 1);
  const escaped = text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return words.size + new Bun.CryptoHasher('sha256').update(escaped).digest().length;
}
