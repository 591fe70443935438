// How a page request is served: authentication, showing the page or handling its form, and errors.

import type { Context } from 'hono';
import { Forbidden, Invalid, NotFound, NotSignedIn } from '../common/errors.ts';
import { readFields } from '../common/fields.ts';
import type { RequestKey } from '../gallery/changes/write.ts';
import { transactOnce } from '../gallery/changes/write.ts';
import { can } from '../gallery/permissions.ts';
import { valuesToShow } from '../rest/body-bounds.ts';
import { corsHeaders, findPreflightMethod, preparePreflight } from '../rest/cors.ts';
import { isOwnOrigin, requireOwnOrigin } from '../rest/csrf.ts';
import { MethodNotAllowed } from '../rest/exceptions.ts';
import { isMultipart } from '../rest/parsers.ts';
import { type PreparedResponse, withEtag } from '../rest/prepared-response.ts';
import type { RequestContext } from '../rest/request-context.ts';
import { parseRequestUrl } from '../rest/request-url.ts';
import { allowsSharedResponse } from '../rest/response-cache.ts';
import { serveRequest } from '../rest/serve-request.ts';
import { redirectToSignIn } from './account/sign-in.tsx';
import { renderErrorPage } from './layout/error-page.tsx';
import { onceField } from './layout/form.tsx';
import { renderPage } from './layout/layout.tsx';
import { anonymousLayout, type LayoutData, loadLayoutData } from './layout/layout-data.ts';
import { chooseLanguage } from './messages/languages.ts';
import { getTranslator } from './messages/translator.ts';
import {
  type PageContext,
  type PageDependencies,
  type PageHandler,
  type PageRoute,
  secondFactorPath,
  seeOther,
} from './page.ts';

const showNotFound: PageHandler = async () => {
  throw new NotFound();
};

export async function servePage(
  deps: PageDependencies,
  {
    show = showNotFound,
    submit,
    acceptsFiles,
    acceptsArchive,
    isOpen,
    isFromElsewhere,
  }: Omit<PageRoute, 'paths'>,
  { env: request, req }: Context<{ Bindings: RequestContext }>,
): Promise<Response> {
  const language = getTranslator(chooseLanguage(request.headers));
  let layout: LayoutData = { ...anonymousLayout, language };
  const finish = (response: PreparedResponse) => {
    if (isOpen) for (const header of Object.entries(corsHeaders)) response.headers.set(...header);
    return setCacheControl(request, response);
  };
  return serveRequest(
    request,
    async () => {
      const load = async () => {
        const context = await loadContext(deps, request, req.param());
        layout = context.layout;
        return context;
      };
      const asked = isOpen ? findPreflightMethod(request) : undefined;
      if (asked !== undefined) return preparePreflight(request, asked);
      if (request.isRead) return finish(await request.withinTimeLimit(async () => show(await load())));
      const context = await request.withinTimeLimit(load);
      if (request.method !== 'POST' || !submit) throw new MethodNotAllowed(request.method);
      const perform = () =>
        request.withinTimeLimit(() =>
          isFromElsewhere ? submit(context) : submitForm(show, submit, context),
        );
      if (!(acceptsFiles || acceptsArchive) || !canUploadFiles(context)) return finish(await perform());
      const sender = deps.authenticator.idOf(context.viewer);
      if (acceptsArchive) return finish(await deps.uploads.acceptArchive(request, sender, perform));
      return finish(await deps.uploads.acceptUpload(request, sender, perform));
    },
    (error) => {
      if (error instanceof NotSignedIn) return redirectToSignIn(request);
      if (error instanceof Forbidden && layout.viewer.lacksSecondFactor && request.isRead)
        return seeOther(secondFactorPath);
      const allow = submit ? 'GET, HEAD, POST' : 'GET, HEAD';
      return finish(renderErrorPage(layout, error, request.id, allow));
    },
  );
}

async function loadContext(
  deps: PageDependencies,
  request: RequestContext,
  params: Record<string, string>,
): Promise<PageContext> {
  const viewer = await deps.authenticator.identify(request);
  const layout = await loadLayoutData(deps, request, viewer);
  const url = parseRequestUrl(request.path);
  const readRequestKey = () => readFormKey(request, url.path);
  const { t, rich } = layout.language;
  const context: PageContext = {
    ...deps,
    origin: request.origin,
    url,
    params,
    request,
    viewer,
    layout,
    t,
    rich,
    readRequestKey,
    async readForm(fields) {
      return readFields(fields, (await request.readBody()).data);
    },
    transact(work, options) {
      return transactOnce(deps.database, this, work, options);
    },
    // `this`: a copy of the context with the errors of a form renders with them.
    render(page) {
      return renderPage({ ...this.layout, formErrors: this.formErrors }, page);
    },
  };
  return context;
}

/** Only the path identifies the request, not the body: a form that was edited and sent again still counts once. */
async function readFormKey(request: RequestContext, path: string): Promise<RequestKey | undefined> {
  const key = (await request.readBody()).data[onceField];
  if (typeof key !== 'string' || !/^[\w-]{1,64}$/.test(key)) return undefined;
  return { key: `form ${key}`, request: path };
}

/** Large bodies are read only from viewers who may create projects, and from our own pages. */
function canUploadFiles({ request: { headers, origin }, viewer }: PageContext): boolean {
  return isMultipart(headers) && isOwnOrigin(headers, origin) && can(viewer, 'makeProject');
}

async function submitForm(
  show: PageHandler,
  submit: PageHandler,
  context: PageContext,
): Promise<PreparedResponse> {
  const { request, origin } = context;
  requireOwnOrigin(request.headers, origin);
  await context.authenticator.identifyAndCheckCsrf(request);
  try {
    return await submit(context);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const values = valuesToShow((await request.readBody()).data);
    const page = await show({ ...context, formErrors: { values, errors: error.fields } });
    return { ...page, status: 400 };
  }
}

/**
 * Caches may store an anonymous visitor's page, and only the browser that of a signed-in viewer. Redirects are
 * revalidated too: a title can change back. Errors and responses to forms are not stored.
 */
function setCacheControl({ headers, isRead }: RequestContext, response: PreparedResponse): PreparedResponse {
  if (response.headers.has('Cache-Control')) return response;
  if (!isRead || response.status >= 400) {
    response.headers.set('Cache-Control', 'no-store');
    return response;
  }
  const tagged = response.status === 200 ? withEtag(response) : response;
  response.headers.set('Cache-Control', allowsSharedResponse(headers) ? 'no-cache' : 'private, no-cache');
  return tagged;
}
