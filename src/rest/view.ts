// Serves a resource: negotiation, the method, the caller, permission, the query, the work, the rendering, in
// Django REST framework's order. Whatever fails on the way is answered in the reader's rendering, with the same Allow.

import { Failure, Invalid, Unavailable } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { toJson } from '../json.ts';
import { type Address, addressOf, withoutFormat } from './address.ts';
import { type Answer, answer, etagOf, httpDate, shownHeaders, versionedEtag, withoutLast } from './answer.ts';
import type { Authenticator } from './authenticator.ts';
import { isOwnOrigin, isSafe } from './csrf.ts';
import { withTimeout, writeWithTimeout } from './deadline.ts';
import { explain, MethodNotAllowed, toProblem } from './exceptions.ts';
import { lookOf } from './look.ts';
import { metadata } from './metadata.ts';
import { negotiate, plainJson, type Rendering } from './negotiation.ts';
import { formatParameter } from './openapi.ts';
import { pageHeaders } from './page-headers.ts';
import { prefersStrict, readParameters } from './parameters.ts';
import { isMultipart, noBody } from './parsers.ts';
import { hasNoCredentials } from './remembered-answers.ts';
import { type BrowsablePage, renderBrowsable } from './renderers/browsable.tsx';
import type { Forms } from './renderers/forms.tsx';
import type { RequestContext } from './request-context.ts';
import {
  allowOf,
  type Call,
  type Method,
  type Operation,
  type Parameters,
  type Resource,
  type Success,
} from './resource.ts';
import type { Site } from './site.ts';

export class View<Who> {
  readonly #allow: string;
  /** One set for all successes: see `toResponse`. */
  readonly #headers: Headers;
  /** The same for what is for the eyes of one reader, who showed a key or a cookie. */
  readonly #personalHeaders: Headers;
  readonly #parameters: Map<Operation<Who>, Parameters>;

  constructor(
    readonly resource: Resource<Who>,
    private readonly authenticator: Authenticator<Who>,
    private readonly site: Site,
  ) {
    this.#allow = allowOf(resource);
    this.#headers = this.#answer(200, '', { 'Cache-Control': 'no-cache' }).headers;
    this.#personalHeaders = this.#answer(200, '', personal).headers;
    this.#parameters = new Map(
      Object.values(resource.operations).map((operation) => [
        operation,
        { ...operation.parameters, ...formatParameter },
      ]),
    );
  }

  async serve(context: RequestContext, params: Record<string, string>): Promise<Answer> {
    const { base, headers, method } = context;
    let address = addressOf(context.path);
    const readsOnly = method === 'GET' || method === 'HEAD';
    if (!address.slash && readsOnly && !context.refusal) {
      return answer(301, { Location: `${base}${address.path}/${address.search}` });
    }
    let rendering = plainJson;
    try {
      rendering = negotiate(
        headers.get('Accept'),
        address.format ?? (address.query.getAll('format').at(-1) || undefined),
      );
      // The page shows the exchange in JSON, whose address says nothing of a page.
      if (rendering.format === 'api') address = withoutFormat(address);
      if (context.refusal) throw context.refusal;
      const sender = await this.#uploader(context, address, params);
      if (sender === undefined) return await this.#serve(context, address, params, rendering);
      return await this.site.uploads.admit(context, sender, () =>
        this.#serve(context, address, params, rendering),
      );
    } catch (error) {
      return await this.#failed(context, address, params, rendering, method, error);
    }
  }

  /** Who may send more than others, where that is so; nothing of what they send is read to know it. */
  async #uploader(
    context: RequestContext,
    address: Address,
    params: Record<string, string>,
  ): Promise<string | undefined> {
    const operation = context.method === 'POST' ? this.resource.operations.POST : undefined;
    if (
      !operation?.takesFiles ||
      !isMultipart(context.headers) ||
      !isOwnOrigin(context.headers, context.base)
    )
      return undefined;
    const viewer = await this.authenticator.identify(context);
    const may = await this.#offers(context, address, params, operation, viewer);
    return may ? this.authenticator.nameOf(viewer) : undefined;
  }

  async #serve(
    context: RequestContext,
    address: Address,
    params: Record<string, string>,
    rendering: Rendering,
  ): Promise<Answer> {
    let meant = context.method;
    try {
      meant = await context.meant();
      if (meant === 'OPTIONS') {
        const data = await this.#describe(context, address, params);
        const told = this.#answer(200, toJson(data, rendering.indent), personalIf(context));
        if (rendering.format === 'json') return told;
        return this.#page(told, { ...asked(context, address, meant), reason: 'OK', data });
      }
      const perform = () => this.#perform(context, meant, address, params);
      const success = await (isSafe(meant)
        ? withTimeout(context.deadline, perform())
        : writeWithTimeout(context.deadline, perform));
      const told = this.#succeed(context, rendering, success);
      if (rendering.format === 'json' || success.text || success.stream) return told;
      const forms = await this.#forms(context, address, params, meant, success);
      const reason = reasons[told.status] ?? '';
      return this.#page(
        told,
        { ...asked(context, address, meant), reason, data: success.data, forms },
        success,
      );
    } catch (error) {
      return await this.#failed(context, address, params, rendering, meant, error);
    }
  }

  async #failed(
    context: RequestContext,
    address: Address,
    params: Record<string, string>,
    rendering: Rendering,
    meant: string,
    error: unknown,
  ): Promise<Answer> {
    if (!(error instanceof Failure)) context.report(error);
    const told = this.#fail(context, rendering, error);
    if (rendering.format === 'json') return told;
    const forms = await this.#forms(context, address, params, meant, error);
    const { title: reason, data } = explain(error);
    const wrong = error instanceof Invalid ? error.fields : {};
    return this.#page(told, { ...asked(context, address, meant), reason, data, wrong, forms });
  }

  /** What the page offers to whoever looks at it. After a mistake it has what they typed. */
  async #forms(
    context: RequestContext,
    address: Address,
    params: Record<string, string>,
    meant: string,
    outcome: unknown,
  ): Promise<Forms | undefined> {
    const failed = outcome instanceof Error;
    if (failed ? isSafe(meant) || !(outcome instanceof Invalid) : (outcome as Success).status === 204)
      return undefined;
    try {
      return await this.#offered(context, address, params, outcome);
    } catch (error) {
      // What was done is done, though nothing more can be offered.
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  async #offered(
    context: RequestContext,
    address: Address,
    params: Record<string, string>,
    outcome: unknown,
  ): Promise<Forms> {
    const failed = outcome instanceof Error;
    const viewer = await this.authenticator.identify(context);
    const offered: Forms['offered'] = [];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const operation = this.resource.operations[method];
      const who = operation?.asStranger ? this.authenticator.anonymous : viewer;
      if (operation && (await this.#offers(context, address, params, operation, who)))
        offered.push({ method, fields: operation.fields, summary: operation.summary });
    }
    const shown = failed ? (await context.body()).data : (outcome as Success).data;
    return {
      offered,
      token: this.authenticator.formToken(viewer),
      values: (shown ?? {}) as Record<string, unknown>,
      wrong: failed ? (outcome as Invalid).fields : {},
    };
  }

  #succeed(context: RequestContext, { indent }: Rendering, success: Success): Answer {
    const { status = 200, text, stream, data } = success;
    let headers = hasNoCredentials(context.headers) ? this.#headers : this.#personalHeaders;
    if (status !== 200 || success.headers || success.cookies || text || stream) {
      headers = withoutLast(headers);
      for (const [name, value] of Object.entries(success.headers ?? {})) headers.append(name, value);
      for (const cookie of success.cookies ?? []) headers.append('Set-Cookie', cookie);
      if (text ?? stream) headers.set('Content-Type', (text ?? stream)?.type ?? '');
      if (status === 204) headers.delete('Content-Type');
    }
    if (stream) return { status, headers, body: '', bytes: stream.body };
    if (status === 204) return { status, headers, body: '' };
    const body = text?.body ?? toJson(data, indent);
    const { version, lastModified, about } = success;
    return {
      ...{ status, headers, body, about },
      etag: version === undefined ? etagOf(body) : versionedEtag(version, body),
      lastModified: lastModified === undefined ? undefined : httpDate(lastModified),
    };
  }

  async #perform(
    context: RequestContext,
    method: string,
    address: Address,
    params: Record<string, string>,
  ): Promise<Success> {
    const operation = this.resource.operations[(method === 'HEAD' ? 'GET' : method) as Method];
    if (!operation) throw new MethodNotAllowed(method);
    const { anonymous } = this.authenticator;
    const viewer = operation.asStranger ? anonymous : await this.authenticator.authenticate(context);
    operation.permission(viewer);
    return operation.handle(await this.#call(context, address, params, operation, viewer));
  }

  async #call(
    context: RequestContext,
    { path, query }: Address,
    params: Record<string, string>,
    operation: Operation<Who>,
    viewer: Who,
    acts = true,
  ): Promise<Call<Who>> {
    const { request, base, method } = context;
    const strict = this.site.strict || prefersStrict(context.headers);
    const given = readParameters(this.#parameters.get(operation) ?? {}, query, strict);
    const takes = acts && operation.fields !== undefined && !isSafe(method);
    const body = takes ? await context.body() : noBody;
    return {
      ...{ request, base, path, query, params, strict, viewer, given, body },
      get client() {
        return context.client;
      },
    };
  }

  async #describe(
    context: RequestContext,
    address: Address,
    params: Record<string, string>,
  ): Promise<Record<string, unknown>> {
    // A form that means OPTIONS is sent as POST, and changes nothing all the same.
    const viewer = await this.authenticator.identify(context);
    const actions: Record<string, Fields> = {};
    for (const method of ['POST', 'PUT'] as const) {
      const operation = this.resource.operations[method];
      if (operation?.fields && (await this.#offers(context, address, params, operation, viewer)))
        actions[method] = operation.fields;
    }
    return metadata(this.resource, actions);
  }

  async #offers(
    context: RequestContext,
    address: Address,
    params: Record<string, string>,
    operation: Operation<Who>,
    viewer: Who,
  ): Promise<boolean> {
    try {
      operation.permission(viewer);
      await operation.allowed?.(await this.#call(context, address, params, operation, viewer, false));
      return true;
    } catch (error) {
      if (error instanceof Failure && !(error instanceof Unavailable)) return false;
      throw error;
    }
  }

  #fail(context: RequestContext, { format, indent, problems }: Rendering, error: unknown): Answer {
    const told = explain(error);
    const headers = { ...personalIf(context), ...told.headers };
    if (!problems || format === 'api') return this.#answer(told.status, toJson(told.data, indent), headers);
    const type = { 'Content-Type': 'application/problem+json' };
    return this.#answer(told.status, toJson(toProblem(told), indent), { ...headers, ...type });
  }

  #answer(status: number, body: string, more: Record<string, string>): Answer {
    const headers = { Allow: this.#allow, Vary: 'Accept', 'Content-Type': 'application/json', ...more };
    return answer(status, headers, body);
  }

  /** The same as a page: it shows what a program is told. */
  #page(told: Answer, exchange: Shown, { version }: Pick<Success, 'version'> = {}): Answer {
    const { resource, site } = this;
    const { status, lastModified, about } = told;
    const headers = withoutLast(told.headers);
    const shown = shownHeaders(headers, told);
    for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
    const body = renderBrowsable({
      ...{ resource, files: site.files, status, headers: shown },
      ...exchange,
    });
    const etag = version === undefined ? etagOf(body) : versionedEtag(version, body);
    // A browser stays where it is when it is told that there is no content.
    if (status === 204) return { status: 200, headers, body };
    return { status, headers, body, lastModified, about, ...(told.etag !== undefined && { etag }) };
  }
}

type Shown = Omit<BrowsablePage, 'resource' | 'files' | 'status' | 'headers'>;

const asked = ({ base, headers }: RequestContext, address: Address, meant: string) => ({
  ...{ base, address, wrong: {}, look: lookOf(headers) },
  method: meant === 'HEAD' ? 'GET' : meant,
});

const reasons: Record<number, string> = { 200: 'OK', 201: 'Created', 204: 'No Content' };

/** No cache keeps it for anybody else. */
const personal = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Authorization, Cookie' };
const personalIf = ({ headers }: RequestContext) => (hasNoCredentials(headers) ? {} : personal);
