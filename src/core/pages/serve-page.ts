// How a page request is served: authentication, showing the page or handling its form, and errors.

import type { Context } from 'hono';
import { Forbidden, Invalid, NotFound, NotSignedIn } from '#common/errors.ts';
import { valuesToShow } from '#rest/body-bounds.ts';
import { corsHeaders, findPreflightMethod, preparePreflight } from '#rest/cors.ts';
import { isOwnOrigin, requireOwnOrigin } from '#rest/csrf.ts';
import { BadRequest, MethodNotAllowed } from '#rest/error-responses.ts';
import { readFields } from '#rest/fields.ts';
import { isMultipart } from '#rest/parsers.ts';
import { type PreparedResponse, withEtag, withHeaders } from '#rest/prepared-response.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { serveRequest } from '#rest/serve.ts';
import { type RequestKey, transactOnce } from '../changes/write.ts';
import { chooseLanguage } from '../texts/languages.ts';
import { getTranslator } from '../texts/translator.ts';
import { can } from '../viewer/permissions.ts';
import { renderErrorPage } from './layout/error-page.tsx';
import { onceField } from './layout/form.tsx';
import { renderPage } from './layout/layout.tsx';
import { anonymousLayout, type LayoutData, loadLayoutData } from './layout/layout-data.ts';
import {
  type PageContext,
  type PageDependencies,
  type PageHandler,
  type PageRoute,
  refererPath,
  secondFactorPath,
  seeOther,
  toLocalPath,
} from './page.ts';

const showNotFound: PageHandler = async () => {
  throw new NotFound();
};

type Route = Omit<PageRoute, 'paths'>;

export const servePage = (
  deps: PageDependencies,
  route: Route,
  { env, req }: Context<{ Bindings: RequestContext }>,
): Promise<Response> => serveRequest(env, new PageEndpoint(deps, route, env, req.param()));

/** Responds to one request for a page. */
class PageEndpoint {
  /** That of visitors until the viewer is known: an error shows what there is. */
  #layout: LayoutData;

  constructor(
    private readonly deps: PageDependencies,
    private readonly route: Route,
    private readonly request: RequestContext,
    private readonly params: Record<string, string>,
  ) {
    const language = getTranslator(chooseLanguage(request.headers));
    this.#layout = { ...anonymousLayout, language };
  }

  async respond(): Promise<PreparedResponse> {
    const { deps, route, request } = this;
    const { show, submit, isOpen, isFromElsewhere } = route;
    // 1. A browser asks for a page of another origin.
    const asked = isOpen ? findPreflightMethod(request) : undefined;
    if (asked !== undefined) return preparePreflight(request, asked);
    // 2. The viewer, and what the layout shows of them.
    const viewer = await deps.authenticator.identify(request);
    this.#layout = await loadLayoutData(deps, request, viewer);
    const context = createContext(deps, request, this.params, this.#layout);
    // 3. The page.
    if (request.isRead) return this.#finish(await (show ?? showNotFound)(context));
    if (request.method !== 'POST' || !submit) throw new MethodNotAllowed(request.method);
    // 4. Room for a large body, until the response is ready.
    await using _room = await takeUploadRoom(context, route);
    // 5. The form.
    return this.#finish(await (isFromElsewhere ? submit(context) : submitForm(show, submit, context)));
  }

  renderError(error: unknown): PreparedResponse {
    const { request, route } = this;
    if (error instanceof NotSignedIn) return redirectToSignIn(request);
    if (error instanceof Forbidden && this.#layout.viewer.lacksSecondFactor && request.isRead)
      return seeOther(secondFactorPath);
    const allow = route.submit ? 'GET, HEAD, POST' : 'GET, HEAD';
    return this.#finish(renderErrorPage(this.#layout, error, request.id, allow));
  }

  #finish(response: PreparedResponse): PreparedResponse {
    return setCacheControl(this.request, this.route.isOpen ? withHeaders(response, corsHeaders) : response);
  }
}

/** Redirects an anonymous viewer to sign in, and from there back to the page they asked for. */
function redirectToSignIn(request: RequestContext): PreparedResponse {
  const next = request.method === 'POST' ? refererPath(request) : toLocalPath(request.target);
  return seeOther(`/sign-in/?${new URLSearchParams({ next })}`);
}

function createContext(
  deps: PageDependencies,
  request: RequestContext,
  params: Record<string, string>,
  layout: LayoutData,
): PageContext {
  const { url, origin } = request;
  const { t, rich } = layout.language;
  return {
    ...deps,
    origin,
    url,
    params,
    request,
    viewer: layout.viewer,
    layout,
    t,
    rich,
    readRequestKey: () => readFormKey(request, url.path),
    async readForm(fields) {
      return readFields(fields, (await request.readBody()).data, { settings: deps.readSettings });
    },
    transact(work, options) {
      return transactOnce(deps.database, this, work, options);
    },
    // `this`: a copy of the context with the errors of a form renders with them.
    render(page) {
      return renderPage({ ...this.layout, formErrors: this.formErrors }, page);
    },
  };
}

/** Only the path identifies the request, not the body: a form that was edited and sent again still counts once. */
async function readFormKey(request: RequestContext, path: string): Promise<RequestKey | undefined> {
  const key = (await request.readBody()).data[onceField];
  if (typeof key !== 'string' || !/^[\w-]{1,64}$/.test(key)) return undefined;
  return { key: `form ${key}`, request: path };
}

/** Large bodies are read only from viewers who may create projects, and from our own pages. */
async function takeUploadRoom(
  { uploads, authenticator, request, viewer }: PageContext,
  { acceptsFiles, acceptsArchive }: Route,
): Promise<AsyncDisposable | undefined> {
  if (!(acceptsFiles || acceptsArchive) || !isMultipart(request.headers)) return undefined;
  if (!isOwnOrigin(request.headers, request.origin) || !can(viewer, 'makeProject')) return undefined;
  return uploads.takeRoom(request, authenticator.idOf(viewer), { acceptsArchive });
}

/** With mistakes, the page of the form is shown again; of one without a page, the first of them. */
async function submitForm(
  show: PageHandler | undefined,
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
    const [text] = Object.values(error.fields).flat();
    if (!show) throw new BadRequest(text);
    const values = valuesToShow((await request.readBody()).data);
    const page = await show({ ...context, formErrors: { values, errors: error.fields } });
    return { ...page, status: 400 };
  }
}

/**
 * Caches may store an anonymous visitor's page, and only the browser that of a signed-in viewer. Redirects are
 * revalidated too: a title can change back. Errors and responses to forms are not stored.
 */
function setCacheControl(
  { canShareResponse, isRead }: RequestContext,
  response: PreparedResponse,
): PreparedResponse {
  if (response.headers.has('Cache-Control')) return response;
  if (!isRead || response.status >= 400) return withHeaders(response, { 'Cache-Control': 'no-store' });
  const tagged = response.status === 200 ? withEtag(response) : response;
  return withHeaders(tagged, { 'Cache-Control': canShareResponse ? 'no-cache' : 'private, no-cache' });
}
