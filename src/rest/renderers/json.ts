// Renders results and errors as JSON. All successful responses of a resource share their headers: see `toResponse`.

import { toJson } from '../../json.ts';
import type { ApiRequest } from '../api-request.ts';
import { toErrorResponse, toProblemDetails } from '../exceptions.ts';
import {
  computeEtag,
  computeVersionedEtag,
  copySharedHeaders,
  formatHttpDate,
  type PreparedResponse,
  prepareResponse,
} from '../prepared-response.ts';
import type { OperationResult } from '../resource.ts';
import { allowsSharedResponse } from '../response-cache.ts';

/** For responses that only one viewer may see. */
const personalHeaders = { 'Cache-Control': 'private, no-cache', Vary: 'Accept, Authorization, Cookie' };

export class JsonRenderer {
  readonly #sharedHeaders: Headers;
  /** For responses to requests with a key or a cookie. */
  readonly #personalHeaders: Headers;

  constructor(private readonly allowHeader: string) {
    this.#sharedHeaders = this.#prepare(200, '', { 'Cache-Control': 'no-cache' }).headers;
    this.#personalHeaders = this.#prepare(200, '', personalHeaders).headers;
  }

  /** `produced` is the media type of a result that is a stream. */
  renderResult(
    { context, rendering }: ApiRequest,
    result: OperationResult,
    produced?: string,
  ): PreparedResponse {
    const { status = 200, stream, data, version, lastModified, subjectId } = result;
    const headers = this.#buildHeaders(allowsSharedResponse(context.headers), result, produced);
    if (stream) return { status, headers, body: '', streamBody: stream };
    if (status === 204) return { status, headers, body: '' };
    const body = toJson(data, rendering.indent);
    return {
      status,
      headers,
      body,
      subjectId,
      etag: version === undefined ? computeEtag(body) : computeVersionedEtag(version, body),
      lastModified: lastModified === undefined ? undefined : formatHttpDate(lastModified),
    };
  }

  /** The response to OPTIONS. */
  renderMetadata({ context, rendering }: ApiRequest, data: Record<string, unknown>): PreparedResponse {
    const headers = allowsSharedResponse(context.headers) ? {} : personalHeaders;
    return this.#prepare(200, toJson(data, rendering.indent), headers);
  }

  renderError({ context, rendering }: ApiRequest, error: unknown): PreparedResponse {
    const response = toErrorResponse(error);
    const isProblem = rendering.usesProblemDetails && rendering.format === 'json';
    const data = isProblem ? toProblemDetails(response) : response.data;
    return this.#prepare(response.status, toJson(data, rendering.indent), {
      ...(!allowsSharedResponse(context.headers) && personalHeaders),
      ...response.headers,
      ...(isProblem && { 'Content-Type': 'application/problem+json' }),
    });
  }

  #buildHeaders(isShared: boolean, result: OperationResult, produced?: string): Headers {
    const { status = 200, headers, cookies } = result;
    const shared = isShared ? this.#sharedHeaders : this.#personalHeaders;
    if (status === 200 && !headers && !cookies && produced === undefined) return shared;
    const own = copySharedHeaders(shared);
    for (const [name, value] of Object.entries(headers ?? {})) own.append(name, value);
    for (const cookie of cookies ?? []) own.append('Set-Cookie', cookie);
    if (produced !== undefined) own.set('Content-Type', produced);
    if (status === 204) own.delete('Content-Type');
    return own;
  }

  #prepare(status: number, body: string, more: Record<string, string>): PreparedResponse {
    const headers = { Allow: this.allowHeader, Vary: 'Accept', 'Content-Type': 'application/json', ...more };
    return prepareResponse(status, headers, body);
  }
}
