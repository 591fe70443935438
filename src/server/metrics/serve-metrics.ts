// Serves `/metrics` on a port of its own, which visitors cannot reach. Each worker serves its metrics on a socket in the
// folder of the workers, and their supervisor answers with those of all.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { timeLimits } from '#common/time-limits.ts';
import type { Database } from '#sql';
import type { Settings } from '../../core/settings/settings.ts';
import type { App } from '../app.ts';
import { toListenError } from '../listen-error.ts';
import { createMetrics } from './metrics.ts';
import type { CountRequest } from './requests.ts';

type Address = Settings<'metricsPort' | 'metricsHost' | 'reusePort'>;

interface MetricsServer {
  readonly countRequest: CountRequest;
  stop(): Promise<void>;
}

type WorkerMetrics = MetricObjectWithValues<MetricValue<string>>[];

const socketPrefix = 'metrics-';

/** Undefined if nobody wants the metrics. */
export function startMetrics(
  app: App,
  database: Database,
  address: Address,
  worker: { readonly number: number; readonly folder: string } | undefined,
): MetricsServer | undefined {
  if (address.metricsPort === undefined) return undefined;
  const { registry, countRequest } = createMetrics(app, database, worker?.number ?? 1);
  const server = worker
    ? Bun.serve({
        unix: join(worker.folder, `${socketPrefix}${process.pid}`),
        fetch: async () => Response.json(await registry.getMetricsAsJSON()),
      })
    : serveMetrics(address, () => registry.metrics());
  // A server that cannot start must end.
  server?.unref();
  return { countRequest, stop: () => server?.stop() ?? Promise.resolve() };
}

/** Answers with the metrics of all workers that have a socket in the folder. */
export function startMetricsOfWorkers(address: Address, folder: string): void {
  serveMetrics(address, async () => {
    const sockets = readdirSync(folder).filter((name) => name.startsWith(socketPrefix));
    const metrics = await Promise.all(sockets.map((name) => readMetrics(join(folder, name))));
    return AggregatorRegistry.aggregate(metrics.filter((ofWorker) => ofWorker !== undefined)).metrics();
  });
}

/** Undefined for a worker that has died, or does not answer. */
async function readMetrics(unix: string): Promise<WorkerMetrics | undefined> {
  try {
    const signal = AbortSignal.timeout(timeLimits.metrics);
    return (await (await fetch('http://localhost/', { unix, signal })).json()) as WorkerMetrics;
  } catch {
    return undefined;
  }
}

function serveMetrics(
  { metricsPort: port, metricsHost: hostname, reusePort }: Address,
  collect: () => Promise<string>,
) {
  if (port === undefined) return undefined;
  try {
    return Bun.serve({
      port,
      hostname,
      // Bun shares the port unless this says no.
      reusePort,
      development: false,
      async fetch({ url }) {
        if (URL.parse(url)?.pathname !== '/metrics') return new Response('See /metrics.\n', { status: 404 });
        return new Response(await collect(), {
          headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
        });
      },
    });
  } catch (error) {
    throw toListenError(error, hostname, port, ['--metrics-host', '--metrics-port']);
  }
}
