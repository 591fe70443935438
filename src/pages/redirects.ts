import { type PreparedResponse, prepareResponse } from '../rest/prepared-response.ts';
import type { RequestUrl } from '../rest/request-url.ts';

export function movePermanently(location: string, { search }: RequestUrl): PreparedResponse {
  return prepareResponse(301, { Location: `${location}${search}` });
}

/** The response to a form: the browser loads the given page with GET. */
export function seeOther(path: string, cookies: readonly string[] = []): PreparedResponse {
  const response = prepareResponse(303, { Location: path, 'Cache-Control': 'no-store' });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}
