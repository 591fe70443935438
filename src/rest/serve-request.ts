// The steps that the API, the pages and the media files have in common. Each renders errors in its own format.

import { isServerFailure } from '../common/errors.ts';
import { toJson } from '../common/json.ts';
import { toErrorResponse } from './exceptions.ts';
import { type PreparedResponse, prepareResponse } from './prepared-response.ts';
import type { RequestContext } from './request-context.ts';

export async function serveRequest(
  context: RequestContext,
  run: () => Promise<PreparedResponse>,
  renderError: (error: unknown) => PreparedResponse | Promise<PreparedResponse>,
): Promise<Response> {
  try {
    if (context.refusal) throw context.refusal;
    return context.respond(await run());
  } catch (error) {
    if (isServerFailure(error)) context.logError(error);
    try {
      return context.respond(await renderError(error));
    } catch (renderingError) {
      return respondWithError(context, renderingError);
    }
  }
}

/** The response if nothing else can respond. */
export function respondWithError(context: RequestContext, error: unknown): Response {
  context.logError(error);
  return context.respond(prepareJsonError(error));
}

export function prepareJsonError(error: unknown, extraHeaders: Record<string, string> = {}) {
  const { status, headers, data } = toErrorResponse(error);
  const contentType = { 'Content-Type': 'application/json' };
  return prepareResponse(status, { ...contentType, ...extraHeaders, ...headers }, toJson(data));
}
