// The whole of the server but for its port and its environment: what every request passes, in order, and then the
// rooms. A test hands it a Request and gets the Response that a client would.

import { Hono } from 'hono';
import { api } from './api/index.ts';
import { ViewerAuthenticator } from './authenticator.ts';
import type { Database } from './database/open.ts';
import { NotSignedIn } from './errors.ts';
import type { Files } from './files/open.ts';
import { Guesses } from './gallery/accounts/guesses.ts';
import { Passwords } from './gallery/accounts/passwords.ts';
import type { SignUpParts } from './gallery/accounts/sign-up.ts';
import { ProjectFinder } from './gallery/projects/find.ts';
import { ListedParts } from './gallery/projects/parts.ts';
import type { Viewer } from './gallery/viewer.ts';
import { health } from './health.ts';
import { toJson } from './json.ts';
import type { Log } from './log.ts';
import { media } from './media.ts';
import { siteFiles } from './pages/assets.ts';
import { pages } from './pages/index.ts';
import { routedPath } from './rest/address.ts';
import { type Answer, answer, toResponse } from './rest/answer.ts';
import { showsAnything } from './rest/authentication.ts';
import { isSafe } from './rest/csrf.ts';
import { withTimeout } from './rest/deadline.ts';
import { BadRequest, explain } from './rest/exceptions.ts';
import { Hosts, type Peers } from './rest/hosts.ts';
import { hasNoCredentials, RememberedAnswers } from './rest/remembered-answers.ts';
import { RequestContext } from './rest/request-context.ts';
import { Throttle } from './rest/throttling.ts';
import { Uploads } from './rest/uploads.ts';
import type { Settings } from './settings.ts';

interface AppParts {
  readonly database: Database;
  readonly files: Files;
  readonly secrets: Secrets;
  readonly settings: Settings<
    | ('allowedHosts' | 'trustedProxies' | 'timeZone' | 'strict')
    | ('readLimit' | 'writeLimit' | 'signInLimit' | 'signUp' | 'uploadLimit')
  >;
  readonly log: Log;
  /** Milliseconds after which a request is answered 503; less than the server's own time-out. */
  readonly deadline?: number;
}

/** What seals that which is given out to come back. */
interface Secrets {
  readonly cursors: string;
  readonly sessions: string;
}

export interface App {
  fetch(request: Request, peers?: Peers): Response | Promise<Response>;
  /**
   * From now on every connection is told to go elsewhere after its answer. Says how many milliseconds ago
   * somebody last asked: a connection that has been silent for longer than the server bears is closed already.
   */
  drain(): number;
}

export const megabyte = 1024 * 1024;
const rememberedBytes = 40 * megabyte;
const nowhere: Peers = { address: () => undefined };

export function createApp({ database, files, secrets, settings, log, deadline = 8000 }: AppParts): App {
  const hosts = new Hosts(settings.allowedHosts, settings.trustedProxies);
  const throttles = {
    read: settings.readLimit === undefined ? undefined : new Throttle('read', settings.readLimit),
    write: settings.writeLimit === undefined ? undefined : new Throttle('write', settings.writeLimit),
  };
  const remembered = new RememberedAnswers(rememberedBytes, database);
  const requestIds = new RequestIds();
  let draining = false;
  let lastAsked = Number.NEGATIVE_INFINITY;

  const projects = new ProjectFinder(database, settings.timeZone);
  const { timeZone, strict } = settings;
  const rooms = new Hono<{ Bindings: RequestContext }>({ getPath: routedPath });
  const authenticator = new ViewerAuthenticator(database, secrets.sessions);
  const accounts: SignUpParts = {
    ...{ database, passwords: new Passwords(), signUp: settings.signUp },
    guesses: new Guesses(database, secrets.sessions, settings.signInLimit),
  };
  const parts = { database, files, projects, accounts, authenticator, timeZone };
  const uploads = new Uploads(settings.uploadLimit * megabyte);
  rooms.route('/', api({ ...parts, secret: secrets.cursors }, { strict, files: siteFiles, uploads }));
  rooms.route('/', media({ database, files, authenticator }));
  rooms.route('/', pages({ ...parts, uploads, parts: new ListedParts(database) }));

  /** What every request meets before the rooms; an answer that is remembered needs them no more. */
  function admit(context: RequestContext, peers: Peers): Answer | undefined {
    const { request, headers, method, path } = context;
    const base = hosts.base(request, headers, peers);
    if (base === undefined) throw new BadRequest('Invalid Host header.');
    context.takeTime = (seconds) => peers.takeTime?.(request, seconds);
    context.whereFrom = () => hosts.client(request, headers, peers);
    // Whose request it is must be known before it can be counted: see `identify`.
    const anonymous = hasNoCredentials(headers);
    if (throttles.read && (anonymous || !showsAnything(headers))) throttles.read.admit(context.client);

    const accept = headers.get('Accept') ?? '';
    const memory = anonymous && (method === 'GET' || method === 'HEAD') ? remembered : undefined;
    const generation = memory && database.generation();
    const known = memory?.find(base, accept, path);
    if (known) return known;

    if (path.includes('%00')) throw new BadRequest('The address holds a NUL character.');
    context.base = base;
    if (generation !== undefined)
      context.keep = (given) => memory?.keep(base, accept, path, given, generation);
    return undefined;
  }

  /**
   * Counts what somebody does who shows a key or a cookie. One that opens nothing is a visitor's: whoever could
   * choose what they are counted by would not be counted.
   */
  async function identify(context: RequestContext): Promise<void> {
    try {
      count(context, await withTimeout(context.deadline, authenticator.identify(context)));
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error;
      throttles.read?.admit(context.client);
    }
  }

  function count(context: RequestContext, { credential }: Viewer): void {
    if (!credential) throttles.read?.admit(context.client);
    else throttles[isSafe(context.method) ? 'read' : 'write']?.admit(`${credential.kind} ${credential.id}`);
  }

  /** The rooms answer refusals too, as they know how to tell them. */
  async function enter(context: RequestContext): Promise<Response> {
    try {
      const probe = health(context.method, context.path, database);
      if (probe) return context.respond(await probe);
      if (!context.refusal && showsAnything(context.headers)) {
        await identify(context).catch((error) => {
          context.refusal = error;
        });
      }
      return await rooms.fetch(context.request, context);
    } catch (error) {
      context.report(error);
      const { status, data } = explain(error);
      return context.respond(answer(status, { 'Content-Type': 'application/json' }, toJson(data)));
    }
  }

  function finish(context: RequestContext, response: Response): Response {
    if (draining) response.headers.set('Connection', 'close');
    log.request(context.id, context.method, context.path, response.status, performance.now() - context.began);
    return response;
  }

  return {
    fetch(request, peers = nowhere) {
      const context = new RequestContext(request, requestIds.next(), deadline, log);
      lastAsked = context.began;
      try {
        const known = admit(context, peers);
        if (known) return finish(context, toResponse(known, context.headers, context.id, true));
      } catch (error) {
        context.refusal = error;
      }
      return enter(context).then((response) => finish(context, response));
    },
    drain() {
      draining = true;
      return performance.now() - lastAsked;
    },
  };
}

/** Short, different for every request of every process, and cheap. */
class RequestIds {
  readonly #process = crypto.randomUUID().slice(0, 8);
  #count = 0;

  next(): string {
    return `${this.#process}-${++this.#count}`;
  }
}
