// The AbortSignal of the current request. A request that times out responds with 503, which says that nothing was
// changed: it aborts its signal, so that a write that still waits does not happen.

import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal | undefined>();

/** Everything that `work` starts can read the signal. */
export function runWithSignal<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return signals.run(signal, work);
}

/** For work that goes on after the request. */
export function runWithoutSignal<Result>(work: () => Promise<Result>): Promise<Result> {
  return signals.run(undefined, work);
}

/** A queue must read the signal when it accepts work: later, another request's signal may be current. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore();
}
