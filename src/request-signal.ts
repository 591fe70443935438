// The AbortSignal of the request that the current code works for. A request that is answered 503 because it took too
// long aborts its signal: its client is told that nothing was changed, so a write that still waits must not happen.

import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/** Everything that `work` starts belongs to the signal. */
export function runWithSignal<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return signals.run(signal, work);
}

/** A queue must read it when it accepts work: when it runs the work, another request's signal may be current. */
export function currentSignal(): AbortSignal | undefined {
  return signals.getStore();
}
