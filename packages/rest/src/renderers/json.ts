// Renders results and errors as JSON. All successful responses of a resource share their headers: see `toResponse`.

import { toJson } from '../../../common/src/json.ts';
import type { ApiRequest } from '../api-request.ts';
import { corsHeaders, removeCorsHeaders } from '../cors.ts';
import { toErrorResponse, toProblemDetails } from '../error-responses.ts';
import { isSafe } from '../methods.ts';
import { isPage, problemMediaType } from '../negotiation.ts';
import {
  computeEtag,
  copyHeaders,
  type PreparedResponse,
  prepareResponse,
  type SharedHeaders,
  shareHeaders,
  toHttpDate,
} from '../prepared-response.ts';
import { buildAllowHeader, type Operation, type OperationResult, type Resource } from '../resource.ts';
import { isLongList, longListToJson } from './long-list.ts';

/** For responses that only one viewer may see. */
const personalHeaders = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Authorization, Cookie' };

export class JsonRenderer {
  readonly #sharedHeaders: SharedHeaders;
  /** For responses to requests with a key or a cookie. */
  readonly #personalHeaders: SharedHeaders;
  readonly #privateHeaders: SharedHeaders;

  constructor(private readonly resource: Resource<never>) {
    const prepare = (headers: Record<string, string>) =>
      shareHeaders(this.#prepare(200, '', headers).headers);
    this.#sharedHeaders = prepare({ 'Cache-Control': 'no-cache' });
    this.#personalHeaders = prepare(personalHeaders);
    this.#privateHeaders = prepare({ ...personalHeaders, 'Cache-Control': 'no-store' });
  }

  async renderResult(
    { context, rendering, method, operation }: ApiRequest,
    result: OperationResult,
  ): Promise<PreparedResponse> {
    const { status = 200, stream, staysOpen, data, json, version, lastModified, subjectId, link } = result;
    const { mediaType = rendering.jsonMediaType } = result;
    const headers = this.#buildHeaders(context.canShareResponse, { ...result, mediaType }, method, operation);
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
    const headers = context.canShareResponse ? { 'Cache-Control': 'no-cache' } : personalHeaders;
    return this.#prepare(200, toJson(data, rendering.indent), headers);
  }

  renderError({ context, rendering, operation }: ApiRequest, error: unknown): PreparedResponse {
    const response = toErrorResponse(error);
    const isProblem = rendering.usesProblemDetails && !isPage(rendering);
    const data = isProblem ? toProblemDetails(response) : response.data;
    const headers = {
      ...(!context.canShareResponse && personalHeaders),
      'Cache-Control': 'no-store',
      ...response.headers,
      ...(isProblem && { 'Content-Type': problemMediaType }),
    };
    const isOpen = !operation?.ignoresCredentials;
    return this.#prepare(response.status, toJson(data, rendering.indent), headers, isOpen);
  }

  #buildHeaders(
    isShared: boolean,
    result: OperationResult,
    method: string,
    { produces, ignoresCredentials, isPrivate }: Partial<Operation<never>> = {},
  ): SharedHeaders {
    const { status = 200, headers, cookies, stream, mediaType } = result;
    const personal = isPrivate && isSafe(method) ? this.#privateHeaders : this.#personalHeaders;
    const shared = isShared ? this.#sharedHeaders : personal;
    const isCommon = status === 200 && !headers && !cookies && produces === undefined && !ignoresCredentials;
    if (isCommon && mediaType === undefined) return shared;
    const own = copyHeaders(shared);
    if (ignoresCredentials) removeCorsHeaders(own);
    for (const [name, value] of Object.entries(headers ?? {})) own.append(name, value);
    for (const cookie of cookies ?? []) own.append('Set-Cookie', cookie);
    if (mediaType !== undefined) own.set('Content-Type', mediaType);
    if (stream) own.set('Cache-Control', 'no-store');
    if (status === 204) own.delete('Content-Type');
    return own;
  }

  #prepare(status: number, body: string, more: Record<string, string>, isOpen = true): PreparedResponse {
    const allow = buildAllowHeader(this.resource);
    const common = { Allow: allow, Vary: 'Accept', 'Content-Type': 'application/json' };
    return prepareResponse(status, { ...common, ...(isOpen && corsHeaders), ...more }, body);
  }
}
