// Renders results and errors as JSON. All successful responses of a resource share their headers: see `toResponse`.

import { toJson } from '../../common/json.ts';
import type { ApiRequest } from '../api-request.ts';
import { corsHeaders, removeCorsHeaders } from '../cors.ts';
import { toErrorResponse, toProblemDetails } from '../exceptions.ts';
import { isSafe } from '../methods.ts';
import { isPage, problemMediaType } from '../negotiation.ts';
import {
  computeEtag,
  copySharedHeaders,
  type PreparedResponse,
  prepareResponse,
  toHttpDate,
} from '../prepared-response.ts';
import { buildAllowHeader, findOperation, type OperationResult, type Resource } from '../resource.ts';
import { allowsSharedResponse } from '../response-cache.ts';
import { isLongList, longListToJson } from './long-list.ts';

/** For responses that only one viewer may see. */
const personalHeaders = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Authorization, Cookie' };

export class JsonRenderer {
  readonly #sharedHeaders: Headers;
  /** For responses to requests with a key or a cookie. */
  readonly #personalHeaders: Headers;
  readonly #privateHeaders: Headers;

  constructor(private readonly resource: Resource<never>) {
    this.#sharedHeaders = this.#prepare(200, '', { 'Cache-Control': 'no-cache' }).headers;
    this.#personalHeaders = this.#prepare(200, '', personalHeaders).headers;
    this.#privateHeaders = this.#prepare(200, '', {
      ...personalHeaders,
      'Cache-Control': 'no-store',
    }).headers;
  }

  async renderResult(
    { context, rendering, method }: ApiRequest,
    result: OperationResult,
  ): Promise<PreparedResponse> {
    const { status = 200, stream, staysOpen, data, json, version, lastModified, subjectId, link } = result;
    const { mediaType = rendering.jsonMediaType } = result;
    const headers = this.#buildHeaders(
      allowsSharedResponse(context.headers),
      { ...result, mediaType },
      method,
    );
    if (stream) return { status, headers, body: '', streamBody: stream, staysOpen };
    if (status === 204) return { status, headers, body: '' };
    const { indent } = rendering;
    const body = json ?? (isLongList(data) ? await longListToJson(data, indent) : toJson(data, indent));
    return {
      status,
      headers,
      body,
      link,
      subjectId,
      etag: computeEtag(body, version),
      lastModified: lastModified === undefined ? undefined : toHttpDate(lastModified),
    };
  }

  /** The response to OPTIONS. */
  renderMetadata({ context, rendering }: ApiRequest, data: Record<string, unknown>): PreparedResponse {
    const headers = allowsSharedResponse(context.headers) ? { 'Cache-Control': 'no-cache' } : personalHeaders;
    return this.#prepare(200, toJson(data, rendering.indent), headers);
  }

  renderError({ context, rendering, method }: ApiRequest, error: unknown): PreparedResponse {
    const response = toErrorResponse(error);
    const isProblem = rendering.usesProblemDetails && !isPage(rendering);
    const data = isProblem ? toProblemDetails(response) : response.data;
    const prepared = this.#prepare(response.status, toJson(data, rendering.indent), {
      ...(!allowsSharedResponse(context.headers) && personalHeaders),
      'Cache-Control': 'no-store',
      ...response.headers,
      ...(isProblem && { 'Content-Type': problemMediaType }),
    });
    if (findOperation(this.resource, method)?.ignoresCredentials) removeCorsHeaders(prepared.headers);
    return prepared;
  }

  #buildHeaders(isShared: boolean, result: OperationResult, method: string): Headers {
    const { status = 200, headers, cookies, stream, mediaType } = result;
    const { produces, ignoresCredentials, isPrivate } = findOperation(this.resource, method) ?? {};
    const personal = isPrivate && isSafe(method) ? this.#privateHeaders : this.#personalHeaders;
    const shared = isShared ? this.#sharedHeaders : personal;
    const isCommon = status === 200 && !headers && !cookies && produces === undefined && !ignoresCredentials;
    if (isCommon && mediaType === undefined) return shared;
    const own = copySharedHeaders(shared);
    if (ignoresCredentials) removeCorsHeaders(own);
    for (const [name, value] of Object.entries(headers ?? {})) own.append(name, value);
    for (const cookie of cookies ?? []) own.append('Set-Cookie', cookie);
    if (mediaType !== undefined) own.set('Content-Type', mediaType);
    if (stream) own.set('Cache-Control', 'no-store');
    if (status === 204) own.delete('Content-Type');
    return own;
  }

  #prepare(status: number, body: string, more: Record<string, string>): PreparedResponse {
    const allow = buildAllowHeader(this.resource);
    const common = { Allow: allow, Vary: 'Accept', 'Content-Type': 'application/json', ...corsHeaders };
    return prepareResponse(status, { ...common, ...more }, body);
  }
}
