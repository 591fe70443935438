// Serves a resource: negotiation, the method, the caller, permission, the query, the work, the rendering, in
// Django REST framework's order. Whatever fails on the way is answered in the reader's rendering, with the same Allow.

import { Failure, Unavailable } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { toJson } from '../json.ts';
import { type Address, addressOf } from './address.ts';
import { type Answer, answer, etagOf, httpDate, versionedEtag } from './answer.ts';
import { within, writtenWithin } from './deadline.ts';
import { explain, MethodNotAllowed, NotAcceptable, toProblem } from './exceptions.ts';
import { metadata } from './metadata.ts';
import { negotiate, plainJson, type Rendering } from './negotiation.ts';
import { formatParameter } from './openapi.ts';
import { prefersStrict, readParameters } from './parameters.ts';
import { noBody } from './parsers.ts';
import { isAnonymous } from './remembered-answers.ts';
import { renderBrowsable } from './renderers/browsable.tsx';
import {
  allowOf,
  type Call,
  type Method,
  type Operation,
  type Parameters,
  type Resource,
  type Success,
} from './resource.ts';
import type { Visit } from './visit.ts';

export interface Caller<Who> {
  /** Who makes the request, or the failure to say so. */
  authenticate(visit: Visit): Promise<Who>;
  /** For those who are not asked who they are. */
  readonly stranger: Who;
}

export interface Site {
  /** The rule for all requests, and not only for those that prefer it. */
  readonly strict: boolean;
  /** Where the browsable pages' style sheet is. */
  readonly stylesheet: string;
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
      if (method === 'OPTIONS') return await this.#describe(visit, address, params, rendering);
      const perform = () => this.#perform(visit, address, params);
      const success = await (readsOnly
        ? within(visit.deadline, perform())
        : writtenWithin(visit.deadline, perform));
      return this.#succeed(visit, address, rendering, success);
    } catch (error) {
      if (!(error instanceof Failure)) visit.report(error);
      return this.#fail(visit, address, rendering, error);
    }
  }

  #succeed(visit: Visit, address: Address, rendering: Rendering, success: Success): Answer {
    const { status = 200, text } = success;
    const set = isAnonymous(visit.headers) ? this.#headers : this.#personalHeaders;
    let headers = set[rendering.format];
    if (status !== 200 || success.headers || success.cookies || text) {
      headers = new Headers(headers);
      // The shared set has those of the answer before.
      for (const name of ['ETag', 'Last-Modified']) headers.delete(name);
      for (const [name, value] of Object.entries(success.headers ?? {})) headers.append(name, value);
      for (const cookie of success.cookies ?? []) headers.append('Set-Cookie', cookie);
      if (text) headers.set('Content-Type', text.type);
      if (status === 204) headers.delete('Content-Type');
    }
    const body =
      text?.body ?? (status === 204 ? '' : this.#body(visit, address, rendering, status, success.data));
    if (status === 204) return { status, headers, body };
    const { version, lastModified, about } = success;
    return {
      ...{ status, headers, body, about },
      etag: version === undefined ? etagOf(body) : versionedEtag(version, body),
      lastModified: lastModified === undefined ? undefined : httpDate(lastModified),
    };
  }

  async #perform(visit: Visit, address: Address, params: Record<string, string>): Promise<Success> {
    const { method } = visit;
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
  ): Promise<Call<Who>> {
    const { request, base, client, method } = visit;
    const strict = this.site.strict || prefersStrict(visit.headers);
    const given = readParameters(this.#parameters.get(operation) ?? {}, query, strict);
    const takes = operation.fields !== undefined && method !== 'OPTIONS';
    const body = takes ? await visit.body() : noBody;
    return { request, base, client, path, query, params, strict, caller, given, body };
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
      await operation.allowed?.(await this.#call(visit, address, params, operation, caller));
      return true;
    } catch (error) {
      if (error instanceof Failure && !(error instanceof Unavailable)) return false;
      throw error;
    }
  }

  #fail(visit: Visit, address: Address, rendering: Rendering, error: unknown): Answer {
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
      this.#body(visit, address, shown, told.status, told.data),
      told.headers,
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
  ): string {
    if (format === 'json') return toJson(data, indent);
    const headers = { Allow: this.#allow, Vary: 'Accept', 'Content-Type': 'application/json' };
    const { stylesheet } = this.site;
    return renderBrowsable({ resource: this.resource, stylesheet, method, address, status, headers, data });
  }
}

/** No cache keeps it for anybody else. */
const personal = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Authorization, Cookie' };

/** For every page that we make: it loads what is ours, runs nothing, and stands in no frame. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
};
