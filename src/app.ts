// The whole of the server but for its port and its environment: what every request passes, in order, and then the
// rooms. A test hands it a Request and gets the Response that a client would.

import { Hono } from 'hono';
import { api } from './api/index.ts';
import type { Database } from './database/open.ts';
import { NotSignedIn } from './errors.ts';
import type { Files } from './files/open.ts';
import { Guesses } from './gallery/accounts/guesses.ts';
import { Passwords } from './gallery/accounts/passwords.ts';
import type { SignUpParts } from './gallery/accounts/sign-up.ts';
import { ProjectFinder } from './gallery/projects/find.ts';
import { ListedParts } from './gallery/projects/parts.ts';
import type { Reader } from './gallery/readers.ts';
import { health } from './health.ts';
import { toJson } from './json.ts';
import type { Log } from './log.ts';
import { media } from './media.ts';
import { siteFiles } from './pages/assets.ts';
import { pages } from './pages/index.ts';
import { Readers } from './readers.ts';
import { routedPath } from './rest/address.ts';
import { type Answer, answer, toResponse } from './rest/answer.ts';
import { showsAnything } from './rest/authentication.ts';
import { isSafe } from './rest/csrf.ts';
import { within } from './rest/deadline.ts';
import { BadRequest, explain } from './rest/exceptions.ts';
import { Hosts, type Peers } from './rest/hosts.ts';
import { isAnonymous, RememberedAnswers } from './rest/remembered-answers.ts';
import { Throttle } from './rest/throttling.ts';
import { Uploads } from './rest/uploads.ts';
import { Visit } from './rest/visit.ts';
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
  const rooms = new Hono<{ Bindings: Visit }>({ getPath: routedPath });
  const readers = new Readers(database, secrets.sessions);
  const accounts: SignUpParts = {
    ...{ database, passwords: new Passwords(), signUp: settings.signUp },
    guesses: new Guesses(database, secrets.sessions, settings.signInLimit),
  };
  const parts = { database, files, projects, accounts, readers, timeZone };
  const uploads = new Uploads(settings.uploadLimit * megabyte);
  rooms.route('/', api({ ...parts, secret: secrets.cursors }, { strict, files: siteFiles, uploads }));
  rooms.route('/', media({ database, files, readers }));
  rooms.route('/', pages({ ...parts, uploads, parts: new ListedParts(database) }));

  /** What every request meets before the rooms; an answer that is remembered needs them no more. */
  function admit(visit: Visit, peers: Peers): Answer | undefined {
    const { request, headers, method, path } = visit;
    const base = hosts.base(request, headers, peers);
    if (base === undefined) throw new BadRequest('Invalid Host header.');
    visit.takeTime = (seconds) => peers.takeTime?.(request, seconds);
    visit.whereFrom = () => hosts.client(request, headers, peers);
    // Whose request it is must be known before it can be counted: see `identify`.
    const anonymous = isAnonymous(headers);
    if (throttles.read && (anonymous || !showsAnything(headers))) throttles.read.admit(visit.client);

    const accept = headers.get('Accept') ?? '';
    const memory = anonymous && (method === 'GET' || method === 'HEAD') ? remembered : undefined;
    const generation = memory && database.generation();
    const known = memory?.find(base, accept, path);
    if (known) return known;

    if (path.includes('%00')) throw new BadRequest('The address holds a NUL character.');
    visit.base = base;
    if (generation !== undefined) visit.keep = (given) => memory?.keep(base, accept, path, given, generation);
    return undefined;
  }

  /**
   * Counts what somebody does who shows a key or a cookie. One that opens nothing is a visitor's: whoever could
   * choose what they are counted by would not be counted.
   */
  async function identify(visit: Visit): Promise<void> {
    try {
      count(visit, await within(visit.deadline, readers.identify(visit)));
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error;
      throttles.read?.admit(visit.client);
    }
  }

  function count(visit: Visit, { credential }: Reader): void {
    if (!credential) throttles.read?.admit(visit.client);
    else throttles[isSafe(visit.method) ? 'read' : 'write']?.admit(`${credential.kind} ${credential.id}`);
  }

  /** The rooms answer refusals too, as they know how to tell them. */
  async function enter(visit: Visit): Promise<Response> {
    try {
      const probe = health(visit.method, visit.path, database);
      if (probe) return visit.respond(await probe);
      if (!visit.refusal && showsAnything(visit.headers)) {
        await identify(visit).catch((error) => {
          visit.refusal = error;
        });
      }
      return await rooms.fetch(visit.request, visit);
    } catch (error) {
      visit.report(error);
      const { status, data } = explain(error);
      return visit.respond(answer(status, { 'Content-Type': 'application/json' }, toJson(data)));
    }
  }

  function finish(visit: Visit, response: Response): Response {
    if (draining) response.headers.set('Connection', 'close');
    log.request(visit.id, visit.method, visit.path, response.status, performance.now() - visit.began);
    return response;
  }

  return {
    fetch(request, peers = nowhere) {
      const visit = new Visit(request, requestIds.next(), deadline, log);
      lastAsked = visit.began;
      try {
        const known = admit(visit, peers);
        if (known) return finish(visit, toResponse(known, visit.headers, visit.id, true));
      } catch (error) {
        visit.refusal = error;
      }
      return enter(visit).then((response) => finish(visit, response));
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
