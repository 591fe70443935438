// Serves a resource: negotiation, the method, the caller, permission, the query, the work, the rendering, in
// Django REST framework's order. Whatever fails on the way is answered in the reader's rendering, with the same Allow.

import { Failure, Invalid, Unavailable } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { toJson } from '../json.ts';
import { type Address, addressOf } from './address.ts';
import { type Answer, answer, etagOf, httpDate, versionedEtag } from './answer.ts';
import { isOwnOrigin, isSafe } from './csrf.ts';
import { within, writtenWithin } from './deadline.ts';
import { explain, MethodNotAllowed, NotAcceptable, toProblem } from './exceptions.ts';
import { metadata } from './metadata.ts';
import { negotiate, plainJson, type Rendering } from './negotiation.ts';
import { formatParameter } from './openapi.ts';
import { prefersStrict, readParameters } from './parameters.ts';
import { isMultipart, noBody } from './parsers.ts';
import { isAnonymous } from './remembered-answers.ts';
import { type Forms, renderBrowsable } from './renderers/browsable.tsx';
import {
  allowOf,
  type Call,
  type Method,
  type Operation,
  type Parameters,
  type Resource,
  type Success,
} from './resource.ts';
import type { Uploads } from './uploads.ts';
import type { Visit } from './visit.ts';

export interface Caller<Who> {
  /** Who makes the request, or the failure to say so. */
  identify(visit: Visit): Promise<Who>;
  /** The same, and that it was they who sent it. */
  authenticate(visit: Visit): Promise<Who>;
  /** What a form must bring so that it was they who sent it; undefined where none is needed. */
  formToken(who: Who): string | undefined;
  /** Tells one from another. */
  nameOf(who: Who): string;
  /** For those who are not asked who they are. */
  readonly stranger: Who;
}

export interface Site {
  /** The rule for all requests, and not only for those that prefer it. */
  readonly strict: boolean;
  /** Where the browsable pages' style sheet is. */
  readonly stylesheet: string;
  readonly uploads: Uploads;
}

export class View<Who> {
  readonly #allow: string;
  /** One set for all successes of a format: see `toResponse`. */
  readonly #headers: Record<Rendering['format'], Headers>;
  /** The same for what is for the eyes of one reader, who showed a key or a cookie. */
  readonly #personalHeaders: Record<Rendering['format'], Headers>;
  readonly #parameters: Map<Operation<Who>, Parameters>;

  constructor(
    readonly resource: Resource<Who>,
    private readonly callers: Caller<Who>,
    private readonly site: Site,
  ) {
    this.#allow = allowOf(resource);
    const both = (more: Record<string, string>) => ({
      json: this.#answer(200, 'json', '', more).headers,
      api: this.#answer(200, 'api', '', more).headers,
    });
    this.#headers = both({ 'Cache-Control': 'no-cache' });
    this.#personalHeaders = both(personal);
    this.#parameters = new Map(
      Object.values(resource.operations).map((operation) => [
        operation,
        { ...operation.parameters, ...formatParameter },
      ]),
    );
  }

  async serve(visit: Visit, params: Record<string, string>): Promise<Answer> {
    const { base, headers, method } = visit;
    const address = addressOf(visit.path);
    const readsOnly = method === 'GET' || method === 'HEAD';
    if (!address.slash && readsOnly && !visit.refusal) {
      return answer(301, { Location: `${base}${address.path}/${address.search}` });
    }
    let rendering = plainJson;
    try {
      rendering = negotiate(
        headers.get('Accept'),
        address.format ?? (address.query.getAll('format').at(-1) || undefined),
      );
      if (visit.refusal) throw visit.refusal;
      const sender = await this.#uploader(visit, address, params);
      if (sender === undefined) return await this.#serve(visit, address, params, rendering);
      return await this.site.uploads.admit(visit, sender, () =>
        this.#serve(visit, address, params, rendering),
      );
    } catch (error) {
      return await this.#failed(visit, address, params, rendering, error);
    }
  }

  /** Who may send more than others, where that is so; nothing of what they send is read to know it. */
  async #uploader(
    visit: Visit,
    address: Address,
    params: Record<string, string>,
  ): Promise<string | undefined> {
    const operation = visit.method === 'POST' ? this.resource.operations.POST : undefined;
    if (!operation?.takesFiles || !isMultipart(visit.headers) || !isOwnOrigin(visit.headers, visit.base))
      return undefined;
    const caller = await this.callers.identify(visit);
    const may = await this.#offers(visit, address, params, operation, caller);
    return may ? this.callers.nameOf(caller) : undefined;
  }

  async #serve(
    visit: Visit,
    address: Address,
    params: Record<string, string>,
    rendering: Rendering,
  ): Promise<Answer> {
    try {
      const meant = await visit.meant();
      if (meant === 'OPTIONS') return await this.#describe(visit, address, params, rendering);
      const perform = () => this.#perform(visit, meant, address, params);
      const success = await (isSafe(meant)
        ? within(visit.deadline, perform())
        : writtenWithin(visit.deadline, perform));
      const forms =
        rendering.format === 'api' ? await this.#forms(visit, address, params, success) : undefined;
      return this.#succeed(visit, address, rendering, success, forms);
    } catch (error) {
      return await this.#failed(visit, address, params, rendering, error);
    }
  }

  async #failed(
    visit: Visit,
    address: Address,
    params: Record<string, string>,
    rendering: Rendering,
    error: unknown,
  ): Promise<Answer> {
    if (!(error instanceof Failure)) visit.report(error);
    const forms = rendering.format === 'api' ? await this.#forms(visit, address, params, error) : undefined;
    return this.#fail(visit, address, rendering, error, forms);
  }

  /** What the page offers to whoever looks at it. After a mistake it has what they typed. */
  async #forms(
    visit: Visit,
    address: Address,
    params: Record<string, string>,
    outcome: unknown,
  ): Promise<Forms | undefined> {
    const failed = outcome instanceof Error;
    if ((failed && !(outcome instanceof Invalid)) || (!failed && (outcome as Success).status === 204))
      return undefined;
    try {
      return await this.#offered(visit, address, params, outcome);
    } catch (error) {
      // What was done is done, though nothing more can be offered.
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  async #offered(
    visit: Visit,
    address: Address,
    params: Record<string, string>,
    outcome: unknown,
  ): Promise<Forms> {
    const failed = outcome instanceof Error;
    const caller = await this.callers.identify(visit);
    const offered: Forms['offered'] = [];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const operation = this.resource.operations[method];
      const who = operation?.asStranger ? this.callers.stranger : caller;
      if (operation && (await this.#offers(visit, address, params, operation, who)))
        offered.push({ method, fields: operation.fields, summary: operation.summary });
    }
    const shown = failed ? (await visit.body()).data : (outcome as Success).data;
    return {
      offered,
      token: this.callers.formToken(caller),
      values: (shown ?? {}) as Record<string, unknown>,
      wrong: failed ? (outcome as Invalid).fields : {},
    };
  }

  #succeed(
    visit: Visit,
    address: Address,
    rendering: Rendering,
    success: Success,
    forms: Forms | undefined,
  ): Answer {
    const { status: done = 200, text, stream } = success;
    // A browser stays where it is when it is told that there is no content.
    const status = done === 204 && rendering.format === 'api' ? 200 : done;
    const set = isAnonymous(visit.headers) ? this.#headers : this.#personalHeaders;
    let headers = set[rendering.format];
    if (status !== 200 || success.headers || success.cookies || text || stream) {
      headers = new Headers(headers);
      // The shared set has those of the answer before.
      for (const name of ['ETag', 'Last-Modified']) headers.delete(name);
      for (const [name, value] of Object.entries(success.headers ?? {})) headers.append(name, value);
      for (const cookie of success.cookies ?? []) headers.append('Set-Cookie', cookie);
      if (text ?? stream) headers.set('Content-Type', (text ?? stream)?.type ?? '');
      if (status === 204) headers.delete('Content-Type');
    }
    if (stream) return { status, headers, body: '', bytes: stream.body };
    const body =
      text?.body ?? (status === 204 ? '' : this.#body(visit, address, rendering, done, success.data, forms));
    if (status === 204) return { status, headers, body };
    const { version, lastModified, about } = success;
    return {
      ...{ status, headers, body, about },
      etag: version === undefined ? etagOf(body) : versionedEtag(version, body),
      lastModified: lastModified === undefined ? undefined : httpDate(lastModified),
    };
  }

  async #perform(
    visit: Visit,
    method: string,
    address: Address,
    params: Record<string, string>,
  ): Promise<Success> {
    const operation = this.resource.operations[(method === 'HEAD' ? 'GET' : method) as Method];
    if (!operation) throw new MethodNotAllowed(method);
    const { stranger } = this.callers;
    const caller = operation.asStranger ? stranger : await this.callers.authenticate(visit);
    operation.permission(caller);
    return operation.handle(await this.#call(visit, address, params, operation, caller));
  }

  async #call(
    visit: Visit,
    { path, query }: Address,
    params: Record<string, string>,
    operation: Operation<Who>,
    caller: Who,
    acts = true,
  ): Promise<Call<Who>> {
    const { request, base, method } = visit;
    const strict = this.site.strict || prefersStrict(visit.headers);
    const given = readParameters(this.#parameters.get(operation) ?? {}, query, strict);
    const takes = acts && operation.fields !== undefined && !isSafe(method);
    const body = takes ? await visit.body() : noBody;
    return {
      ...{ request, base, path, query, params, strict, caller, given, body },
      get client() {
        return visit.client;
      },
    };
  }

  async #describe(
    visit: Visit,
    address: Address,
    params: Record<string, string>,
    rendering: Rendering,
  ): Promise<Answer> {
    const caller = await this.callers.authenticate(visit);
    const actions: Record<string, Fields> = {};
    for (const method of ['POST', 'PUT'] as const) {
      const operation = this.resource.operations[method];
      if (operation?.fields && (await this.#offers(visit, address, params, operation, caller)))
        actions[method] = operation.fields;
    }
    const data = metadata(this.resource, actions);
    const more = isAnonymous(visit.headers) ? {} : personal;
    return this.#answer(200, rendering.format, this.#body(visit, address, rendering, 200, data), more);
  }

  async #offers(
    visit: Visit,
    address: Address,
    params: Record<string, string>,
    operation: Operation<Who>,
    caller: Who,
  ): Promise<boolean> {
    try {
      operation.permission(caller);
      await operation.allowed?.(await this.#call(visit, address, params, operation, caller, false));
      return true;
    } catch (error) {
      if (error instanceof Failure && !(error instanceof Unavailable)) return false;
      throw error;
    }
  }

  #fail(
    visit: Visit,
    address: Address,
    rendering: Rendering,
    error: unknown,
    forms: Forms | undefined,
  ): Answer {
    const told = explain(error);
    // Nothing that we have is acceptable, so it may as well be JSON.
    const shown = error instanceof NotAcceptable ? plainJson : rendering;
    if (shown.problems && shown.format === 'json') {
      const headers = { ...told.headers, 'Content-Type': 'application/problem+json' };
      return this.#answer(told.status, 'json', toJson(toProblem(told), shown.indent), headers);
    }
    return this.#answer(
      told.status,
      shown.format,
      this.#body(visit, address, shown, told.status, told.data, forms),
      isAnonymous(visit.headers) ? told.headers : { ...personal, ...told.headers },
    );
  }

  #answer(
    status: number,
    format: Rendering['format'],
    body: string,
    more: Record<string, string> = {},
  ): Answer {
    const type = format === 'json' ? { 'Content-Type': 'application/json' } : pageHeaders;
    return answer(status, { Allow: this.#allow, Vary: 'Accept', ...type, ...more }, body);
  }

  #body(
    { method }: Visit,
    address: Address,
    { format, indent }: Rendering,
    status: number,
    data: unknown,
    forms?: Forms,
  ): string {
    if (format === 'json') return toJson(data, indent);
    const headers = { Allow: this.#allow, Vary: 'Accept', 'Content-Type': 'application/json' };
    const { stylesheet } = this.site;
    return renderBrowsable({
      resource: this.resource,
      stylesheet,
      method,
      address,
      status,
      headers,
      data,
      forms,
    });
  }
}

/** No cache keeps it for anybody else. */
const personal = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Authorization, Cookie' };

/** For every page that we make: it loads what is ours, runs nothing, and stands in no frame. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
};
