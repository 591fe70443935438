// How a page request is served: authentication, showing the page or handling its form, and errors.

import type { Context } from 'hono';
import { Failure, Invalid, NotFound, NotSignedIn } from '../errors.ts';
import { can } from '../gallery/permissions.ts';
import { isOwnOrigin, requireOwnOrigin } from '../rest/csrf.ts';
import { MethodNotAllowed } from '../rest/exceptions.ts';
import { isMultipart } from '../rest/parsers.ts';
import { type PreparedResponse, withEtag } from '../rest/prepared-response.ts';
import type { RequestContext } from '../rest/request-context.ts';
import { parseRequestUrl } from '../rest/request-url.ts';
import { allowsSharedResponse } from '../rest/response-cache.ts';
import { withTimeout, writeWithTimeout } from '../rest/timeout.ts';
import { redirectToSignIn } from './account/sign-in.tsx';
import { renderErrorPage } from './error-page.tsx';
import { anonymousLayout, loadLayoutData } from './layout-data.ts';
import type { PageContext, PageDependencies, PageHandler } from './page-context.ts';

interface PageRoute {
  readonly show: PageHandler;
  readonly submit: PageHandler | undefined;
  /** The form may be multipart with files. */
  readonly acceptsFiles: boolean;
}

/** For URLs that only accept POST. */
export const showNotFound: PageHandler = async () => {
  throw new NotFound();
};

export async function servePage(
  deps: PageDependencies,
  { show, submit, acceptsFiles }: PageRoute,
  { env: request, req }: Context<{ Bindings: RequestContext }>,
): Promise<Response> {
  let layout = anonymousLayout;
  try {
    if (request.earlyFailure) throw request.earlyFailure;
    const { origin, method } = request;
    const viewer = await withTimeout(request.remainingMs, deps.authenticator.identify(request));
    layout = await withTimeout(request.remainingMs, loadLayoutData(deps, request, viewer));
    const context = {
      origin,
      url: parseRequestUrl(request.path),
      params: req.param(),
      request,
      viewer,
      layout,
    };
    if (method === 'GET' || method === 'HEAD')
      return request.respond(
        setCacheControl(request, await withTimeout(request.remainingMs, show(deps, context))),
      );
    if (method !== 'POST' || !submit) throw new MethodNotAllowed(method);
    const perform = () =>
      writeWithTimeout(request.remainingMs, () => submitForm(show, submit, deps, context));
    return request.respond(
      await (acceptsFiles && canUploadFiles(context)
        ? deps.uploads.acceptUpload(request, deps.authenticator.idOf(viewer), perform)
        : perform()),
    );
  } catch (error) {
    if (error instanceof NotSignedIn) return request.respond(redirectToSignIn(request));
    if (!(error instanceof Failure)) request.report(error);
    const allow = submit ? 'GET, HEAD, POST' : 'GET, HEAD';
    return request.respond(setCacheControl(request, renderErrorPage(layout, error, request.id, allow)));
  }
}

/** Large bodies are read only from viewers who may create projects, and from our own pages. */
function canUploadFiles({ request: { headers, origin }, viewer }: PageContext): boolean {
  return isMultipart(headers) && isOwnOrigin(headers, origin) && can(viewer, 'makeProject');
}

async function submitForm(
  show: PageHandler,
  submit: PageHandler,
  deps: PageDependencies,
  context: PageContext,
): Promise<PreparedResponse> {
  const { request, origin } = context;
  requireOwnOrigin(request.headers, origin);
  await deps.authenticator.authenticate(request);
  try {
    return await submit(deps, context);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const { data: values } = await request.readBody();
    const page = await show(deps, { ...context, formErrors: { values, errors: error.fields } });
    return { ...page, status: 400 };
  }
}

/**
 * Caches may store an anonymous visitor's page, and only the browser that of a signed-in viewer. Redirects and missing
 * pages are revalidated too: a title can change back, and a hidden project can be shown again.
 */
function setCacheControl({ headers }: RequestContext, response: PreparedResponse): PreparedResponse {
  if (response.headers.has('Cache-Control')) return response;
  const tagged = response.status === 200 ? withEtag(response) : response;
  response.headers.set('Cache-Control', allowsSharedResponse(headers) ? 'no-cache' : 'private, no-cache');
  return tagged;
}
