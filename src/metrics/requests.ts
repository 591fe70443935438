// Counts requests by route, method and status.

import { Counter, Histogram, type Registry } from 'prom-client';
import type { App } from '../app.ts';
import type { RequestContext } from '../rest/request-context.ts';

/** A client may send any other method. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Sees each request with its response. */
export type CountRequest = (context: RequestContext, response: Response) => void;

export function countRequests(registry: Registry, app: App): CountRequest {
  const requests = new Counter({
    name: 'vitrine_http_requests_total',
    help: 'Answered requests.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'vitrine_http_request_duration_seconds',
    help: 'Seconds until a response was ready.',
    labelNames: ['route'],
    buckets: secondsBuckets,
    registers: [registry],
  });
  const createRoute = (name: string) => ({
    name,
    duration: durations.labels(name),
    counters: new Map<string, Counter.Internal>(),
  });
  type Route = ReturnType<typeof createRoute>;
  const routes = new Map<string, Route>();
  // A remembered response is the same object each time. To find its route would take longer than to send it.
  const routesOfResponses = new WeakMap<object, Route>();

  function findRoute({ sent, request }: RequestContext): Route {
    const known = sent && routesOfResponses.get(sent);
    if (known) return known;
    const name = app.findRoute(request);
    const route = routes.get(name) ?? createRoute(name);
    routes.set(name, route);
    if (sent) routesOfResponses.set(sent, route);
    return route;
  }

  return (context, { status }) => {
    const { name, duration, counters } = findRoute(context);
    duration.observe((performance.now() - context.startedAt) / 1000);
    const method = methods.has(context.method) ? context.method : 'other';
    const key = `${method}${status}`;
    let counter = counters.get(key);
    if (!counter) {
      counter = requests.labels(name, method, String(status));
      counters.set(key, counter);
    }
    counter.inc();
  };
}
