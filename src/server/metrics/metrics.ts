// The metrics of this process that Prometheus reads. Labels have few values: the patterns of routes, never paths.

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readWithinTimeLimit } from '#common/request-lifetime.ts';
import type { QueueStats } from '#common/request-queue.ts';
import type { Database } from '#sql';
import { version } from '../../../package.json';
import { listFinishedJobs } from '../../core/jobs/jobs.ts';
import type { Metric } from '../../projects/background-work.ts';
import type { App } from '../app.ts';
import { countRequests } from './requests.ts';

/** The names of prom-client's own metrics that say something about Bun. */
const processMetrics = /^(process_(?!heap)|nodejs_eventloop_lag_((p50|p99|max)_)?seconds$)/;

/** `worker` tells the processes of one server apart. */
export function createMetrics(app: App, database: Database, worker: number) {
  const registry = new Registry();
  registry.setDefaultLabels({ worker: String(worker) });
  collectDefaultMetrics({ register: registry });
  for (const { name } of registry.getMetricsAsArray())
    if (!processMetrics.test(name)) registry.removeSingleMetric(name);
  for (const metric of [
    buildInfo,
    countOpenResponses(app),
    ...app.work.flatMap(({ metrics = [] }) => metrics),
    ...listCacheMetrics(app),
    ...listDatabaseMetrics(database),
  ])
    define(registry, metric);
  return { registry, countRequest: countRequests(registry, app) };
}

function define(registry: Registry, { name, help, labelNames = [], isCounter, read }: Metric): void {
  async function collect() {
    metric.reset();
    await read((value, labels = {}) => metric.inc(labels, value));
  }
  const options = { name, help, labelNames, registers: [registry], collect };
  const metric = isCounter ? new Counter(options) : new Gauge(options);
}

const buildInfo: Metric = {
  name: 'vitrine_build_info',
  help: 'The versions, as labels.',
  labelNames: ['version', 'bun'],
  read: (set) => set(1, { version, bun: Bun.version }),
};

const countOpenResponses = (app: App): Metric => ({
  name: 'vitrine_open_responses',
  help: 'Streams of changes that are open, and requests that wait for a change.',
  read: (set) => set(app.countOpenResponses()),
});

const listCacheMetrics = ({ cache }: App): Metric[] => [
  {
    name: 'vitrine_response_cache_requests_total',
    help: 'Requests that were answered from the cache of responses (hit), or could have been (miss).',
    isCounter: true,
    labelNames: ['result'],
    read(set) {
      set(cache.hits, { result: 'hit' });
      set(cache.misses, { result: 'miss' });
    },
  },
  {
    name: 'vitrine_response_cache_evictions_total',
    help: 'Responses and parts of pages that were removed from the cache to make room.',
    isCounter: true,
    read: (set) => set(cache.memory.evictions),
  },
  {
    name: 'vitrine_response_cache_bytes',
    help: 'Memory of the cache of responses and parts of pages.',
    read: (set) => set(cache.memory.bytes),
  },
];

const listDatabaseMetrics = (database: Database): Metric[] => [
  {
    name: 'vitrine_database_queue_waiting',
    help: 'Tasks that wait for a connection.',
    ...perQueue(database, ({ waiting }) => waiting),
  },
  {
    name: 'vitrine_database_tasks_total',
    help: 'Tasks that got a connection.',
    isCounter: true,
    ...perQueue(database, ({ started }) => started),
  },
  {
    name: 'vitrine_database_wait_seconds_total',
    help: 'Seconds that these tasks had waited.',
    isCounter: true,
    ...perQueue(database, ({ waitedMs }) => waitedMs / 1000),
  },
  {
    name: 'vitrine_replica_in_use',
    help: '1 if a replica responds and does not lag behind.',
    labelNames: ['replica'],
    read(set) {
      for (const { host, isInUse } of database.stats().replicas ?? [])
        set(isInUse ? 1 : 0, { replica: host });
    },
  },
  {
    name: 'vitrine_sqlite_wal_bytes',
    help: 'Size of the write-ahead log of SQLite.',
    read(set) {
      const { walBytes } = database.stats();
      if (walBytes !== undefined) set(walBytes);
    },
  },
  {
    name: 'vitrine_database_up',
    help: '1 if the database responds.',
    read: async (set) => set((await readJobs(database)) ? 1 : 0),
  },
  {
    name: 'vitrine_job_last_success_timestamp_seconds',
    help: 'When a regular job, such as the backup, was last finished.',
    labelNames: ['job'],
    async read(set) {
      for (const [job, seconds] of (await readJobs(database)) ?? []) set(seconds, { job });
    },
  },
];

const perQueue = (database: Database, readStats: (stats: QueueStats) => number) => ({
  labelNames: ['queue'],
  read(set: Parameters<Metric['read']>[0]) {
    for (const [queue, stats] of Object.entries(database.stats().queues)) set(readStats(stats), { queue });
  },
});

/** When each kind of job was finished; undefined if the database does not respond. */
async function readJobs(database: Database): Promise<Map<string, number> | undefined> {
  const finishedJobs = await readWithinTimeLimit(() => listFinishedJobs(database));
  const jobs = new Map<string, number>();
  for (const { name, finished } of finishedJobs ?? []) {
    // The rest of the name may be the place of the backups.
    const [kind = ''] = name.split(' to ');
    jobs.set(kind, Math.max(jobs.get(kind) ?? 0, finished / 1_000_000));
  }
  return finishedJobs && jobs;
}
