// How a page is served: whose it is, whether it is shown or acts, and what becomes of what goes wrong.

import type { Context } from 'hono';
import type { Database } from '../database/open.ts';
import { Failure, Invalid, NotFound, NotSignedIn } from '../errors.ts';
import type { Files } from '../files/open.ts';
import type { SignUpParts } from '../gallery/accounts/sign-up.ts';
import { may } from '../gallery/permissions.ts';
import type { ProjectFinder } from '../gallery/projects/find.ts';
import type { ListedParts } from '../gallery/projects/parts.ts';
import type { Reader } from '../gallery/readers.ts';
import type { Readers } from '../readers.ts';
import { type Address, addressOf } from '../rest/address.ts';
import { type Answer, validated } from '../rest/answer.ts';
import { demandOwnOrigin, isOwnOrigin } from '../rest/csrf.ts';
import { within, writtenWithin } from '../rest/deadline.ts';
import { MethodNotAllowed } from '../rest/exceptions.ts';
import { isMultipart } from '../rest/parsers.ts';
import { isAnonymous } from '../rest/remembered-answers.ts';
import type { Uploads } from '../rest/uploads.ts';
import type { Visit } from '../rest/visit.ts';
import { toSignIn } from './account/sign-in.tsx';
import { errorPage } from './error.tsx';
import { type Frame, frameOf, visitorsFrame } from './frame.ts';

export interface PageParts {
  readonly database: Database;
  readonly projects: ProjectFinder;
  readonly parts: ListedParts;
  readonly accounts: SignUpParts;
  readonly readers: Readers;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly timeZone: string;
}

export interface Served {
  readonly base: string;
  readonly address: Address;
  readonly params: Readonly<Record<string, string>>;
  readonly visit: Visit;
  readonly reader: Reader;
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
  { env: visit, req }: Context<{ Bindings: Visit }>,
): Promise<Response> {
  let frame = visitorsFrame;
  try {
    if (visit.refusal) throw visit.refusal;
    const { base, method } = visit;
    const reader = await within(visit.deadline, parts.readers.identify(visit));
    frame = await within(visit.deadline, frameOf(parts, visit, reader));
    const served = { base, address: addressOf(visit.path), params: req.param(), visit, reader, frame };
    if (method === 'GET' || method === 'HEAD')
      return visit.respond(kept(visit, await within(visit.deadline, show(parts, served))));
    if (method !== 'POST' || !act) throw new MethodNotAllowed(method);
    const perform = () => writtenWithin(visit.deadline, () => done(show, act, parts, served));
    return visit.respond(
      await (takesFiles && maySend(served)
        ? parts.uploads.admit(visit, parts.readers.nameOf(reader), perform)
        : perform()),
    );
  } catch (error) {
    if (error instanceof NotSignedIn) return visit.respond(toSignIn(visit));
    if (!(error instanceof Failure)) visit.report(error);
    const allow = act ? 'GET, HEAD, POST' : 'GET, HEAD';
    return visit.respond(kept(visit, errorPage(frame, error, visit.id, allow)));
  }
}

/** Nobody else makes us read what is large. */
function maySend({ visit: { headers, base }, reader }: Served): boolean {
  return isMultipart(headers) && isOwnOrigin(headers, base) && may(reader, 'makeProject');
}

async function done(show: Page, act: Page, parts: PageParts, served: Served): Promise<Answer> {
  const { visit, base } = served;
  demandOwnOrigin(visit.headers, base);
  await parts.readers.authenticate(visit);
  try {
    return await act(parts, served);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const { data: typed } = await visit.body();
    const shown = await show(parts, { ...served, refused: { typed, wrong: error.fields } });
    return { ...shown, status: 400 };
  }
}

/**
 * A visitor's page may be kept by anybody, and one that somebody signed in for only by them. Ways elsewhere and what is
 * not found are asked for again too: a title may come back, and so may what is hidden.
 */
function kept({ headers }: Visit, given: Answer): Answer {
  if (given.headers.has('Cache-Control')) return given;
  const checked = given.status === 200 ? validated(given) : given;
  given.headers.set('Cache-Control', isAnonymous(headers) ? 'no-cache' : 'private, no-cache');
  return checked;
}
