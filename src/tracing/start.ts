import type { Log } from '../common/log.ts';
import { RequestTrace } from '../common/request-trace.ts';
import type { RequestContext } from '../rest/request-context.ts';

export interface Tracing {
  startTrace(context: RequestContext): RequestTrace;
  /** Sends what is left, for at most a second. */
  stop(): Promise<void>;
}

interface TracingOptions {
  readonly exportsTraces: boolean;
  /** Responses have the header Server-Timing. */
  readonly serverTiming: boolean;
}

/** Undefined if nobody wants traces. */
export async function startTracing(
  { exportsTraces, serverTiming }: TracingOptions,
  log: Log,
): Promise<Tracing | undefined> {
  if (!exportsTraces && !serverTiming) return undefined;
  const stop = exportsTraces ? (await import('./exporter.ts')).startExporter(log) : async () => {};
  return { startTrace: (context) => new RequestTrace(context, serverTiming), stop };
}
