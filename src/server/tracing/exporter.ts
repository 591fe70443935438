// Sends spans to a collector with OpenTelemetry's own packages. They are imported only when traces are wanted. The queue is
// bounded: spans are lost while the collector does not keep up, and no request waits for it.

import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { errorCode, errorMessage } from '#common/errors.ts';
import type { Log } from '#common/log.ts';
import { timeLimits } from '#common/time-limits.ts';
import { version } from '../../../package.json';

const warningIntervalMs = 60_000;
/** Spans wait in memory with the texts of their queries and paths. */
const maxTextLength = 4000;
const maxReasonLength = 300;

/** Returns what sends the last spans. */
export function startExporter(log: Log): () => Promise<void> {
  const warn = createWarning(log);
  const ignore = () => {};
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  setGlobalErrorHandler(warn);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const own = { 'service.name': 'vitrine', 'service.version': version, 'process.pid': process.pid };
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanLimits: { attributeValueLengthLimit: maxTextLength },
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  trace.setGlobalTracerProvider(provider);
  return () => Promise.race([provider.shutdown().catch(warn), Bun.sleep(timeLimits.traces)]);
}

/** A collector that is gone causes an error for each batch. */
function createWarning(log: Log): (...causes: unknown[]) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (...causes) => {
    if (performance.now() - warnedAt < warningIntervalMs) return;
    warnedAt = performance.now();
    const reason = causes.map((cause) => errorCode(cause) ?? errorMessage(cause)).join(': ');
    log.error('-', `Traces are lost: ${reason.slice(0, maxReasonLength)}.`);
  };
}
