import { OperatorError, reasonOf } from '#common/errors.ts';
import { Outage } from '#common/outage.ts';
import type { Database } from '#sql';

const retryMs = 1000;
/** How often the log is looked at without a sign of a change. */
const pollMs = 5000;

interface Options {
  readonly isOnce: boolean;
  readonly stopped: AbortSignal;
  report(message: string): void;
}

/** Publishes whenever something has changed, and each second while it fails, which is reported once. */
export async function repeatOnChanges(
  database: Database,
  publish: () => Promise<void>,
  { isOnce, stopped, report }: Options,
): Promise<void> {
  const outage = new Outage(
    (error) => report(`Changes cannot be published, and wait: ${reasonOf(error)}.`),
    () => report('Changes are published again.'),
  );
  let wake = Promise.withResolvers<void>();
  stopped.addEventListener('abort', () => wake.resolve());
  const stopWatching = database.watchChanges(() => outage.isOn || wake.resolve());
  try {
    while (!stopped.aborted) {
      wake = Promise.withResolvers();
      try {
        await publish();
        outage.end();
        if (isOnce) return;
      } catch (error) {
        if (error instanceof OperatorError) throw error;
        outage.begin(error);
      }
      const timer = setTimeout(wake.resolve, outage.isOn ? retryMs : pollMs);
      if (!stopped.aborted) await wake.promise;
      clearTimeout(timer);
    }
  } finally {
    stopWatching();
  }
}
