// Serves a resource: negotiation, the method, the caller, permission, the query, the work, the rendering, in
// Django REST framework's order. Whatever fails on the way is answered in the reader's rendering, with the same Allow.

import { Failure } from '../errors.ts';
import { toJson } from '../json.ts';
import { type Address, addressOf } from './address.ts';
import { type Answer, answer, etagOf, httpDate } from './answer.ts';
import { within } from './deadline.ts';
import { explain, MethodNotAllowed, NotAcceptable, toProblem } from './exceptions.ts';
import { metadata } from './metadata.ts';
import { negotiate, plainJson, type Rendering } from './negotiation.ts';
import { formatParameter } from './openapi.ts';
import { prefersStrict, readParameters } from './parameters.ts';
import { renderBrowsable } from './renderers/browsable.tsx';
import {
  allowOf,
  type Method,
  type Operation,
  type Parameters,
  type Resource,
  type Success,
} from './resource.ts';
import type { Visit } from './visit.ts';

export interface Caller<Who> {
  /** Who makes the request, or the failure to say so. */
  authenticate(request: Request): Promise<Who>;
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
  readonly #parameters: Map<Operation<Who>, Parameters>;

  constructor(
    readonly resource: Resource<Who>,
    private readonly callers: Caller<Who>,
    private readonly site: Site,
  ) {
    this.#allow = allowOf(resource);
    const { headers: json } = this.#answer(200, 'json', '', { 'Cache-Control': 'no-cache' });
    const { headers: api } = this.#answer(200, 'api', '', { 'Cache-Control': 'no-cache' });
    this.#headers = { json, api };
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
      if (method === 'OPTIONS') return await this.#describe(visit, address, rendering);
      const success = await within(visit.deadline, this.#perform(visit, address, params));
      const body = this.#body(visit, address, rendering, 200, success.data);
      const lastModified = success.lastModified === undefined ? undefined : httpDate(success.lastModified);
      return {
        status: 200,
        headers: this.#headers[rendering.format],
        body,
        etag: etagOf(body),
        lastModified,
      };
    } catch (error) {
      if (!(error instanceof Failure)) visit.report(error);
      return this.#fail(visit, address, rendering, error);
    }
  }

  async #perform(visit: Visit, { path, query }: Address, params: Record<string, string>): Promise<Success> {
    const { request, base, method } = visit;
    const operation = this.resource.operations[(method === 'HEAD' ? 'GET' : method) as Method];
    if (!operation) throw new MethodNotAllowed(method);
    const caller = await this.callers.authenticate(request);
    operation.permission(caller);
    if (!operation.handle) throw new MethodNotAllowed(method);
    const strict = this.site.strict || prefersStrict(visit.headers);
    const given = readParameters(this.#parameters.get(operation) ?? {}, query, strict);
    return operation.handle({ request, base, path, query, params, strict, caller, given });
  }

  async #describe(visit: Visit, address: Address, rendering: Rendering): Promise<Answer> {
    await this.callers.authenticate(visit.request);
    return this.#answer(
      200,
      rendering.format,
      this.#body(visit, address, rendering, 200, metadata(this.resource)),
    );
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

/** For every page that we make: it loads what is ours, runs nothing, and stands in no frame. */
export const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
};
