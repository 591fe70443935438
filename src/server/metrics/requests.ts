// Counts requests by route, method and status, in plain numbers: prom-client looks up a text of all labels each time. It
// gets the numbers when Prometheus asks.

import { Counter, Histogram, type Registry } from 'prom-client';
import { knownMethods } from '#common/request-trace.ts';
import type { RequestContext } from '#rest/request-context.ts';
import type { App } from '../app.ts';

const otherMethod = 'other';
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Sees each request with its response. */
export type CountRequest = (context: RequestContext, response: Response) => void;

class RouteCounts {
  /** By method, then by status. */
  readonly requests = new Map(
    [...knownMethods, otherMethod].map((method) => [method, new Map<number, number>()]),
  );
  /** The last one is for what is longer than all bounds. */
  readonly buckets = new Float64Array(secondsBuckets.length + 1);
  seconds = 0;

  count(method: string, status: number, seconds: number): void {
    const statuses = this.requests.get(method) ?? this.requests.get(otherMethod);
    statuses?.set(status, (statuses.get(status) ?? 0) + 1);
    this.seconds += seconds;
    let bucket = 0;
    while (seconds > (secondsBuckets[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }
}

type Routes = ReadonlyMap<string, RouteCounts>;

export function countRequests(registry: Registry, app: App): CountRequest {
  const routes = new Map<string, RouteCounts>();
  defineRequests(registry, routes);
  registry.registerMetric(new Durations(routes));
  // A cached response is the same object each time. To find its route would take longer than to send it.
  const routesOfResponses = new WeakMap<object, RouteCounts>();

  function findRoute(context: RequestContext): RouteCounts {
    const { sent } = context;
    const known = sent && routesOfResponses.get(sent);
    if (known) return known;
    const name = app.findRoute(context);
    const route = routes.get(name) ?? new RouteCounts();
    routes.set(name, route);
    if (sent) routesOfResponses.set(sent, route);
    return route;
  }

  return (context, { status }) =>
    findRoute(context).count(context.method, status, (performance.now() - context.startedAt) / 1000);
}

function defineRequests(registry: Registry, routes: Routes): void {
  new Counter({
    name: 'vitrine_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { requests }] of routes)
        for (const [method, statuses] of requests)
          for (const [status, count] of statuses) this.inc({ route, method, status }, count);
    },
  });
}

const durations = {
  name: 'vitrine_http_request_duration_seconds',
  help: 'Seconds until a response was ready.',
  labelNames: ['route'],
};

class Durations extends Histogram {
  constructor(private readonly routes: Routes) {
    super({ ...durations, registers: [] });
  }

  /** The registry calls it, for its text and for JSON. */
  async getForPromString() {
    const values = [...this.routes].flatMap(([route, counts]) => listValues(route, counts));
    return { ...durations, type: 'histogram', aggregator: 'sum', values };
  }
}

function listValues(route: string, { buckets, seconds }: RouteCounts) {
  let count = 0;
  const ofBuckets = Array.from(buckets, (ofBucket, index) => {
    count += ofBucket;
    return { name: 'bucket', value: count, labels: { le: secondsBuckets[index] ?? '+Inf' } };
  });
  const values = [...ofBuckets, { name: 'sum', value: seconds }, { name: 'count', value: count }];
  return values.map(({ name, ...value }) => ({
    metricName: `${durations.name}_${name}`,
    labels: {},
    sharedLabels: { route },
    ...value,
  }));
}
