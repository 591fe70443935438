// How a page request is served: authentication, showing the page or handling its form, and errors.

import type { Context } from 'hono';
import type { ViewerAuthenticator } from '../authenticator.ts';
import type { Database } from '../database/open.ts';
import { Failure, Invalid, NotFound, NotSignedIn } from '../errors.ts';
import type { FileStore } from '../files/open.ts';
import type { SignUpDependencies } from '../gallery/accounts/sign-up.ts';
import { can } from '../gallery/permissions.ts';
import type { ProjectFinder } from '../gallery/projects/find.ts';
import type { ListedIdRanges } from '../gallery/projects/id-ranges.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { isOwnOrigin, requireOwnOrigin } from '../rest/csrf.ts';
import { MethodNotAllowed } from '../rest/exceptions.ts';
import { isMultipart } from '../rest/parsers.ts';
import { type PreparedResponse, withEtag } from '../rest/prepared-response.ts';
import type { RequestContext } from '../rest/request-context.ts';
import { parseRequestUrl, type RequestUrl } from '../rest/request-url.ts';
import { allowsSharedResponse } from '../rest/response-cache.ts';
import { withTimeout, writeWithTimeout } from '../rest/timeout.ts';
import type { UploadLimiter } from '../rest/upload-limiter.ts';
import { redirectToSignIn } from './account/sign-in.tsx';
import { renderErrorPage } from './error-page.tsx';
import { anonymousLayout, type LayoutData, loadLayoutData } from './layout-data.ts';

export interface PageDependencies {
  readonly database: Database;
  readonly projects: ProjectFinder;
  readonly idRanges: ListedIdRanges;
  readonly accounts: SignUpDependencies;
  readonly authenticator: ViewerAuthenticator;
  readonly files: FileStore;
  readonly uploads: UploadLimiter;
  readonly timeZone: string;
}

export interface PageContext {
  readonly origin: string;
  readonly url: RequestUrl;
  readonly params: Readonly<Record<string, string>>;
  readonly request: RequestContext;
  readonly viewer: Viewer;
  readonly layout: LayoutData;
  /** Set when the page is shown again after its form had errors. */
  readonly formErrors?: FormErrors;
}

export interface FormErrors {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

/** Shows a page, or handles its form: an `Invalid` that it throws is shown on the page. */
export type PageHandler = (deps: PageDependencies, context: PageContext) => Promise<PreparedResponse>;

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
