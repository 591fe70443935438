// How a page is served: whose it is, whether it is shown or acts, and what becomes of what goes wrong.

import type { Context } from 'hono';
import type { ViewerAuthenticator } from '../authenticator.ts';
import type { Database } from '../database/open.ts';
import { Failure, Invalid, NotFound, NotSignedIn } from '../errors.ts';
import type { Files } from '../files/open.ts';
import type { SignUpParts } from '../gallery/accounts/sign-up.ts';
import { can } from '../gallery/permissions.ts';
import type { ProjectFinder } from '../gallery/projects/find.ts';
import type { ListedParts } from '../gallery/projects/parts.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { type Address, addressOf } from '../rest/address.ts';
import { type Answer, validated } from '../rest/answer.ts';
import { demandOwnOrigin, isOwnOrigin } from '../rest/csrf.ts';
import { withTimeout, writeWithTimeout } from '../rest/deadline.ts';
import { MethodNotAllowed } from '../rest/exceptions.ts';
import { isMultipart } from '../rest/parsers.ts';
import { hasNoCredentials } from '../rest/remembered-answers.ts';
import type { RequestContext } from '../rest/request-context.ts';
import type { Uploads } from '../rest/uploads.ts';
import { toSignIn } from './account/sign-in.tsx';
import { errorPage } from './error.tsx';
import { type Frame, frameOf, visitorsFrame } from './frame.ts';

export interface PageParts {
  readonly database: Database;
  readonly projects: ProjectFinder;
  readonly parts: ListedParts;
  readonly accounts: SignUpParts;
  readonly authenticator: ViewerAuthenticator;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly timeZone: string;
}

export interface Served {
  readonly base: string;
  readonly address: Address;
  readonly params: Readonly<Record<string, string>>;
  readonly context: RequestContext;
  readonly viewer: Viewer;
  readonly frame: Frame;
  /** What was typed into the page's form and not taken, and why: the page is shown again with it. */
  readonly refused?: Refused;
}

export interface Refused {
  readonly typed: Readonly<Record<string, unknown>>;
  readonly wrong: Readonly<Record<string, readonly string[]>>;
}

/** Shows a page, or does what its form asks for: that ends in an answer, or in an Invalid that the page tells of. */
export type Page = (parts: PageParts, served: Served) => Promise<Answer>;

interface Way {
  readonly show: Page;
  readonly act: Page | undefined;
  /** Its form may bring files. */
  readonly takesFiles: boolean;
}

/** Where there is nothing to see. */
export const nothing: Page = async () => {
  throw new NotFound();
};

export async function answerWith(
  parts: PageParts,
  { show, act, takesFiles }: Way,
  { env: context, req }: Context<{ Bindings: RequestContext }>,
): Promise<Response> {
  let frame = visitorsFrame;
  try {
    if (context.refusal) throw context.refusal;
    const { base, method } = context;
    const viewer = await withTimeout(context.deadline, parts.authenticator.identify(context));
    frame = await withTimeout(context.deadline, frameOf(parts, context, viewer));
    const served = { base, address: addressOf(context.path), params: req.param(), context, viewer, frame };
    if (method === 'GET' || method === 'HEAD')
      return context.respond(kept(context, await withTimeout(context.deadline, show(parts, served))));
    if (method !== 'POST' || !act) throw new MethodNotAllowed(method);
    const perform = () => writeWithTimeout(context.deadline, () => done(show, act, parts, served));
    return context.respond(
      await (takesFiles && maySend(served)
        ? parts.uploads.admit(context, parts.authenticator.nameOf(viewer), perform)
        : perform()),
    );
  } catch (error) {
    if (error instanceof NotSignedIn) return context.respond(toSignIn(context));
    if (!(error instanceof Failure)) context.report(error);
    const allow = act ? 'GET, HEAD, POST' : 'GET, HEAD';
    return context.respond(kept(context, errorPage(frame, error, context.id, allow)));
  }
}

/** Nobody else makes us read what is large. */
function maySend({ context: { headers, base }, viewer }: Served): boolean {
  return isMultipart(headers) && isOwnOrigin(headers, base) && can(viewer, 'makeProject');
}

async function done(show: Page, act: Page, parts: PageParts, served: Served): Promise<Answer> {
  const { context, base } = served;
  demandOwnOrigin(context.headers, base);
  await parts.authenticator.authenticate(context);
  try {
    return await act(parts, served);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const { data: typed } = await context.body();
    const shown = await show(parts, { ...served, refused: { typed, wrong: error.fields } });
    return { ...shown, status: 400 };
  }
}

/**
 * A visitor's page may be kept by anybody, and one that somebody signed in for only by them. Ways elsewhere and what is
 * not found are asked for again too: a title may come back, and so may what is hidden.
 */
function kept({ headers }: RequestContext, given: Answer): Answer {
  if (given.headers.has('Cache-Control')) return given;
  const checked = given.status === 200 ? validated(given) : given;
  given.headers.set('Cache-Control', hasNoCredentials(headers) ? 'no-cache' : 'private, no-cache');
  return checked;
}
