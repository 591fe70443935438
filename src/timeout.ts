import { Unavailable } from './errors.ts';
import { runWithSignal } from './request-signal.ts';

/** Resolves with the result of the work, or rejects after the timeout. The work goes on; its result is dropped. */
export function withTimeout<Result>(
  timeoutMs: number,
  work: Promise<Result>,
  error?: Error,
): Promise<Result> {
  return raceTimeout(timeoutMs, work, () => error ?? new Unavailable('the request timed out'));
}

/** The same for work that may write: after the timeout, nothing is written. */
export function writeWithTimeout<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  return raceTimeout(timeoutMs, runWithSignal(controller.signal, work), () => {
    controller.abort();
    return new Unavailable('the request timed out');
  });
}

async function raceTimeout<Result>(
  timeoutMs: number,
  work: Promise<Result>,
  onTimeout: () => Error,
): Promise<Result> {
  let timer: Timer | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
