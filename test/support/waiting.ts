// Waiting for what happens. A test never waits for a time: how long something takes depends on the machine.

import { expect, jest, spyOn } from 'bun:test';
import { uptime } from 'node:os';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { timeLimits } from '#common/time-limits.ts';
import type { Database } from '#sql';
import { closeFirst, closeLater } from './closing.ts';

/** The limit of every wait: on a busy machine, anything may take long. */
export const waitMs = 60_000;

const pollMs = 5;
/** While the clock stands still, no sleep ends. */
const pause = () => (jest.isFakeTimers() ? nextEventLoopTurn() : Bun.sleep(pollMs));

/** Waits until `find` returns something that is not false, and returns it. */
export async function waitFor<Value>(
  find: () => Value | Promise<Value>,
): Promise<Exclude<Value, false | undefined | null | 0 | ''>> {
  // The clock of the machine goes on where that of the process stands still.
  for (const end = uptime() + waitMs / 1000; ; await pause()) {
    const found = await find();
    if (found) return found as Exclude<Value, false | undefined | null | 0 | ''>;
    if (uptime() > end) throw new Error(`it has not happened within ${waitMs / 1000} s: ${find}`);
  }
}

/** Waits until this is read, for example from a page. */
export async function waitForValue<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  let found: Value | undefined;
  const isRead = async () => {
    found = await read();
    return Bun.deepEquals(found, expected);
  };
  await waitFor(isRead).catch(() => expect(found).toEqual(expected));
}

/** Waits until a process knows what others have committed: until then it may show what it has cached. */
export async function learnOfChanges({ database }: { readonly database: Database }): Promise<void> {
  // On PostgreSQL, a write ends when its process has read the change log; on SQLite, it is read if it was not for so long.
  await database.transaction(async () => {});
  if (database.system === 'sqlite') await Bun.sleep(database.maxStalenessMs);
}

/**
 * A process that knows of all changes, and whose clock stands still while this is done: on PostgreSQL, it forgets in half a
 * second that it knows of them.
 */
export async function whileUpToDate<Result>(
  site: { readonly database: Database },
  work: () => Promise<Result>,
): Promise<Result> {
  await learnOfChanges(site);
  using _ = spyOn(performance, 'now').mockReturnValue(performance.now());
  await site.database.transaction(async () => {});
  return await work();
}

/** Why it is refused. While `expect(…).rejects` waits, the loop of events runs for timers only, some of which are far away. */
export const refusalOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(() => 'nothing was refused', String);

const { now } = performance;
let passedMs = 0;

/** As if this process had slept, for what asks `performance.now`. It stays so, because that clock never goes back. */
export function letTimePass(ms: number): void {
  passedMs += ms;
  performance.now = () => now.call(performance) + passedMs;
}

/** Until the end of the test, the product has less time for this: so little that it is over, or so much that it is not. */
export function limitTime(name: keyof typeof timeLimits, ms: number): void {
  const before = timeLimits[name];
  timeLimits[name] = ms;
  closeLater(async () => {
    timeLimits[name] = before;
  });
}

/** Until `start`, or the end of the test, the clock of this process stands still, and timers run when it is advanced. */
export function stopClock(): { advance(ms: number): void; start(): void } {
  const stoppedAt = now.call(performance);
  let advancedMs = 0;
  let isStopped = true;
  jest.useFakeTimers();
  // A stopped clock begins at 0.
  letTimePass(stoppedAt);
  const start = () => {
    if (!isStopped) return;
    isStopped = false;
    // Timers that are still set then would never run.
    jest.advanceTimersByTime(1000);
    jest.useRealTimers();
    letTimePass(advancedMs + 1000 - stoppedAt);
  };
  // What is closed may wait for a timer.
  closeFirst(async () => start());
  return {
    advance(ms) {
      advancedMs += ms;
      jest.advanceTimersByTime(ms);
    },
    start,
  };
}

/**
 * Kills come at any moment, and clients write at any: only these waits are for a time. Nothing that a test expects may
 * depend on how long they are.
 */
export const randomPause = (maxMs: number): Promise<void> => Bun.sleep(Math.random() * maxMs);
