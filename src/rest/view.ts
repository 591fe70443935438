// Serves a resource: negotiation, the method, the caller, permission, the query, the work, the rendering, in
// Django REST framework's order. Whatever fails on the way is answered in the reader's rendering, with the same Allow.

import { Failure } from '../errors.ts';
import { toJson } from '../json.ts';
import { type Address, addressOf } from './address.ts';
import { type Answer, answer, validated } from './answer.ts';
import { within } from './deadline.ts';
import { explain, MethodNotAllowed, NotAcceptable, toProblem } from './exceptions.ts';
import { metadata } from './metadata.ts';
import { negotiate, plainJson, type Rendering } from './negotiation.ts';
import { formatParameter } from './openapi.ts';
import { prefersStrict, readParameters } from './parameters.ts';
import { renderBrowsable } from './renderers/browsable.tsx';
import { allowOf, type Call, type Method, type Resource } from './resource.ts';
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

  constructor(
    readonly resource: Resource<Who>,
    private readonly callers: Caller<Who>,
    private readonly site: Site,
  ) {
    this.#allow = allowOf(resource);
  }

  async serve(visit: Visit, params: Record<string, string>): Promise<Answer> {
    const { request, base } = visit;
    const address = addressOf(request);
    const readsOnly = request.method === 'GET' || request.method === 'HEAD';
    if (!address.slash && readsOnly && !visit.refusal)
      return answer(301, { Location: `${base}${address.path}/${address.search}` });

    let rendering = plainJson;
    try {
      rendering = negotiate(
        request.headers.get('Accept'),
        address.format ?? (address.query.getAll('format').at(-1) || undefined),
      );
      if (visit.refusal) throw visit.refusal;
      const strict = this.site.strict || prefersStrict(request.headers);
      const success = await within(
        visit.deadline,
        this.#perform({
          request,
          base,
          params,
          strict,
          path: address.path,
          query: address.query,
        }),
      );
      const rendered = this.#render(visit, address, rendering, 200, success.data, {});
      return request.method === 'OPTIONS' ? rendered : validated(rendered, success.lastModified);
    } catch (error) {
      if (!(error instanceof Failure)) visit.report(error);
      return this.#fail(visit, address, rendering, error);
    }
  }

  async #perform(
    call: Omit<Call<Who>, 'caller' | 'given'>,
  ): Promise<{ data: unknown; lastModified?: number }> {
    const { method } = call.request;
    const operation = this.resource.operations[(method === 'HEAD' ? 'GET' : method) as Method];
    if (!operation && method !== 'OPTIONS') throw new MethodNotAllowed(method);
    const caller = await this.callers.authenticate(call.request);
    if (!operation) return { data: metadata(this.resource) };
    operation.permission(caller);
    if (!operation.handle) throw new MethodNotAllowed(method);
    const given = readParameters({ ...operation.parameters, ...formatParameter }, call.query, call.strict);
    return operation.handle({ ...call, caller, given });
  }

  #fail(visit: Visit, address: Address, rendering: Rendering, error: unknown): Answer {
    const told = explain(error);
    // Nothing that we have is acceptable, so it may as well be JSON.
    const shown = error instanceof NotAcceptable ? plainJson : rendering;
    if (!shown.problems || shown.format !== 'json') {
      return this.#render(visit, address, shown, told.status, told.data, told.headers);
    }
    const headers = { ...told.headers, ...this.#headers, 'Content-Type': 'application/problem+json' };
    return answer(told.status, headers, toJson(toProblem(told), shown.indent));
  }

  get #headers() {
    return { Allow: this.#allow, Vary: 'Accept' };
  }

  #render(
    { method }: Visit,
    address: Address,
    { format, indent }: Rendering,
    status: number,
    data: unknown,
    extra: Record<string, string>,
  ): Answer {
    const headers = { ...extra, ...this.#headers };
    if (format === 'json') {
      return answer(status, { ...headers, 'Content-Type': 'application/json' }, toJson(data, indent));
    }
    const page = renderBrowsable({
      ...{ resource: this.resource, stylesheet: this.site.stylesheet, method, address, status, data },
      headers: { ...headers, 'Content-Type': 'application/json' },
    });
    return answer(status, { ...headers, 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders }, page);
  }
}

/** For every page that we make: it loads what is ours, runs nothing, and stands in no frame. */
export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
};
