// The whole of the server but for its port and its environment: what every request passes, in order, and then the
// rooms. A test hands it a Request and gets the Response that a client would.

import { Hono } from 'hono';
import { api } from './api/index.ts';
import type { Database } from './database/open.ts';
import { Unavailable } from './errors.ts';
import { ProjectFinder } from './gallery/projects/find.ts';
import { health } from './health.ts';
import type { Log } from './log.ts';
import { stylesheet } from './pages/assets.ts';
import { pages } from './pages/index.ts';
import { routedPath } from './rest/address.ts';
import { type Answer, answer, toResponse } from './rest/answer.ts';
import { BadRequest, explain } from './rest/exceptions.ts';
import { Hosts, type Peer } from './rest/hosts.ts';
import { isAnonymous, RememberedAnswers } from './rest/remembered-answers.ts';
import { renderJson } from './rest/renderers/json.ts';
import { Throttle } from './rest/throttling.ts';
import type { Visit } from './rest/view.ts';
import type { Settings } from './settings.ts';

export interface AppParts {
  readonly database: Database;
  /** Seals what is given out to come back, such as cursors. */
  readonly secret: string;
  readonly settings: Settings<'allowedHosts' | 'trustedProxies' | 'timeZone' | 'readLimit' | 'strict'>;
  readonly log: Log;
  /** Milliseconds after which a request is answered 503; less than the server's own time-out. */
  readonly deadline?: number;
}

export interface App {
  fetch(request: Request, peer: Peer): Response | Promise<Response>;
  /** From now on every connection is told to go elsewhere after its answer. */
  drain(): void;
}

const rememberedBytes = 64 * 1024 * 1024;
const nowhere: Peer = { address: () => undefined };

export function createApp({ database, secret, settings, log, deadline = 8000 }: AppParts): App {
  const hosts = new Hosts(settings.allowedHosts, settings.trustedProxies);
  const throttle = settings.readLimit === undefined ? undefined : new Throttle(settings.readLimit);
  const remembered = new RememberedAnswers(rememberedBytes);
  const requestIds = new RequestIds();
  let draining = false;

  const projects = new ProjectFinder(database, settings.timeZone);
  const { timeZone, strict } = settings;
  const rooms = new Hono<{ Bindings: Visit }>({ getPath: routedPath });
  rooms.route('/', api({ projects, timeZone, secret }, { strict, stylesheet }));
  rooms.route('/', pages({ database, projects, timeZone }));

  function admit(request: Request, peer: Peer, report: Visit['report']): Answer | Promise<Response> {
    const base = hosts.base(request, peer);
    if (base === undefined) throw new BadRequest('Invalid Host header.');
    const path = request.url.slice(request.url.indexOf('/', 8));
    const probe = health(path, database);
    if (probe) return probe.then((given) => toResponse(given, request));
    throttle?.admit(hosts.client(request, peer));

    const generation = database.generation();
    const mayRemember = (request.method === 'GET' || request.method === 'HEAD') && isAnonymous(request);
    const key = mayRemember ? `${base}${path}\n${request.headers.get('Accept') ?? ''}` : '';
    const known = mayRemember ? remembered.find(key, generation) : undefined;
    if (known) return known;

    if (path.includes('%00')) throw new BadRequest('The address holds a NUL character.');
    const respond = (given: Answer) => {
      if (mayRemember && generation !== undefined && given.headers.has('ETag'))
        remembered.keep(key, given, generation);
      return toResponse(given, request);
    };
    return within(deadline, Promise.resolve(rooms.fetch(request, { request, base, respond, report })));
  }

  function finish(request: Request, response: Response, id: string, began: number): Response {
    response.headers.set('X-Request-Id', id);
    if (draining) response.headers.set('Connection', 'close');
    log.request(id, request, response.status, performance.now() - began);
    return response;
  }

  function refuse(request: Request, error: unknown, report: Visit['report']): Response {
    const { status, headers, data } = explain(error);
    if (status === 500) report(error);
    return toResponse(
      answer(status, { ...headers, 'Content-Type': 'application/json' }, renderJson(data)),
      request,
    );
  }

  return {
    fetch(request, peer = nowhere) {
      const began = performance.now();
      const id = requestIds.next();
      const report = (error: unknown) => log.fault(id, error);
      let found: Answer | Promise<Response>;
      try {
        found = admit(request, peer, report);
      } catch (error) {
        return finish(request, refuse(request, error, report), id, began);
      }
      if (!(found instanceof Promise)) return finish(request, toResponse(found, request), id, began);
      return found
        .catch((error) => refuse(request, error, report))
        .then((response) => finish(request, response, id, began));
    },
    drain() {
      draining = true;
    },
  };
}

async function within(milliseconds: number, work: Promise<Response>): Promise<Response> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable({ cause: 'deadline' })), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Short, different for every request of every process, and cheap. */
class RequestIds {
  readonly #process = crypto.randomUUID().slice(0, 8);
  #count = 0;

  next(): string {
    return `${this.#process}-${(++this.#count).toString(36)}`;
  }
}
