// Every page of the public site on one screen. A new page is a file beside this one and a line here.

import { type Context, Hono } from 'hono';
import type { Database } from '../database/open.ts';
import { Failure, Invalid, NotFound, NotSignedIn } from '../errors.ts';
import type { SignUpParts } from '../gallery/accounts/sign-up.ts';
import type { ProjectFinder } from '../gallery/projects/find.ts';
import type { ListedParts } from '../gallery/projects/parts.ts';
import type { Reader } from '../gallery/readers.ts';
import type { Readers } from '../readers.ts';
import { type Address, addressOf } from '../rest/address.ts';
import { type Answer, validated } from '../rest/answer.ts';
import { demandOwnOrigin } from '../rest/csrf.ts';
import { within, writtenWithin } from '../rest/deadline.ts';
import { MethodNotAllowed } from '../rest/exceptions.ts';
import { isAnonymous } from '../rest/remembered-answers.ts';
import type { Visit } from '../rest/visit.ts';
import { account, leavePage, passwordPage, takeLeave, takeNames, takePassword } from './account/account.tsx';
import { addKey, dropKey, keysPage } from './account/keys.tsx';
import { beSignedIn, beSignedOut, signInPage, toSignIn } from './account/sign-in.tsx';
import { beSignedUp, signUpPage } from './account/sign-up.tsx';
import { takeComment, takeCopy, takeRating } from './acts.ts';
import { asset } from './assets.ts';
import { contributor } from './contributor.tsx';
import { embed } from './embed.tsx';
import { errorPage } from './error.tsx';
import { atomFeed, contributorAtomFeed, contributorJsonFeed, jsonFeed } from './feed.ts';
import { type Frame, frameOf, visitorsFrame } from './frame.ts';
import { history } from './history.tsx';
import { home } from './home.tsx';
import { lineage } from './lineage.tsx';
import { look } from './look.ts';
import { awayPage, editPage, takeAway, takeEdit, takeState } from './making/edit.tsx';
import { bringBack, mine } from './making/mine.tsx';
import { choosePage, makeNew, newPage } from './making/new.tsx';
import { preview } from './making/preview.ts';
import { takeBack, takeDecision } from './moderation/acts.ts';
import { log } from './moderation/log.tsx';
import { makeInvite, people, takeAccount } from './moderation/people.tsx';
import { queue } from './moderation/queue.tsx';
import { removed, takeRestored } from './moderation/removed.tsx';
import { takeReturned, trash } from './moderation/trash.tsx';
import { oembed } from './oembed.tsx';
import { project } from './project.tsx';
import { reportPage, reportSent, takeReport } from './report.tsx';
import { robots, sitemap, sitemapPart } from './sitemap.ts';
import { tags } from './tags.tsx';

export interface PageParts {
  readonly database: Database;
  readonly projects: ProjectFinder;
  readonly parts: ListedParts;
  readonly accounts: SignUpParts;
  readonly readers: Readers;
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

export function pages(parts: PageParts): Hono<{ Bindings: Visit }> {
  const routes = new Hono<{ Bindings: Visit }>();
  const serve = (show: Page, act?: Page) => (context: Context<{ Bindings: Visit }>) =>
    answerWith(show, act, parts, context);

  routes.all('/', serve(home));
  routes.all('/feed.atom/', serve(atomFeed));
  routes.all('/feed.json/', serve(jsonFeed));
  routes.all('/tags/', serve(tags));

  routes.all('/content/:uuid/', serve(project));
  routes.all('/content/:uuid/embed/', serve(embed));
  routes.all('/content/:uuid/:slug/', serve(project));
  routes.all('/content/:uuid/:slug/embed/', serve(embed));
  routes.all('/content/:uuid/:slug/lineage/', serve(lineage));
  routes.all('/content/:uuid/:slug/history/', serve(history));
  routes.all('/content/:uuid/:slug/copy/', serve(project, takeCopy));
  routes.all('/content/:uuid/:slug/rate/', serve(project, takeRating));
  routes.all('/content/:uuid/:slug/comment/', serve(project, takeComment));
  routes.all('/content/:uuid/:slug/edit/', serve(editPage, takeEdit));
  routes.all('/content/:uuid/:slug/state/', serve(project, takeState));
  routes.all('/content/:uuid/:slug/away/', serve(awayPage, takeAway));
  routes.all('/content/:uuid/:slug/report/', serve(reportPage, takeReport));
  routes.all('/content/:uuid/:slug/report/sent/', serve(reportSent));

  routes.all('/contributors/:name/', serve(contributor));
  routes.all('/contributors/:name/feed.atom/', serve(contributorAtomFeed));
  routes.all('/contributors/:name/feed.json/', serve(contributorJsonFeed));

  routes.all('/new/', serve(choosePage));
  routes.all('/new/:type/', serve(newPage, makeNew));
  routes.all('/preview/', serve(nothing, preview));
  routes.all('/mine/', serve(mine));
  routes.all('/mine/trash/:id/restore/', serve(nothing, bringBack));

  routes.all('/moderation/', serve(queue, takeDecision));
  routes.all('/moderation/log/', serve(log));
  routes.all('/moderation/log/:id/undo/', serve(log, takeBack));
  routes.all('/moderation/removed/', serve(removed, takeRestored));
  routes.all('/moderation/trash/', serve(trash, takeReturned));
  routes.all('/moderation/people/', serve(people, takeAccount));
  routes.all('/moderation/people/invitation/', serve(people, makeInvite));

  routes.all('/sign-in/', serve(signInPage, beSignedIn));
  routes.all('/sign-up/', serve(signUpPage, beSignedUp));
  routes.all('/sign-out/', serve(nothing, beSignedOut));
  routes.all('/account/', serve(account, takeNames));
  routes.all('/account/password/', serve(passwordPage, takePassword));
  routes.all('/account/keys/', serve(keysPage, addKey));
  routes.all('/account/keys/:id/revoke/', serve(nothing, dropKey));
  routes.all('/account/leave/', serve(leavePage, takeLeave));
  routes.all('/look/', serve(nothing, look));

  routes.all('/oembed/', serve(oembed));
  routes.all('/sitemap.xml/', serve(sitemap));
  routes.all('/sitemaps/:range/', serve(sitemapPart));
  routes.all('/robots.txt/', serve(robots));
  routes.all(
    '/assets/:file/',
    serve(async (_, { address }) => asset(address.path)),
  );
  routes.all('*', serve(nothing));
  return routes;
}

/** Where there is nothing to see. */
const nothing: Page = async () => {
  throw new NotFound();
};

async function answerWith(
  show: Page,
  act: Page | undefined,
  parts: PageParts,
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
    return visit.respond(await writtenWithin(visit.deadline, () => done(show, act, parts, served)));
  } catch (error) {
    if (error instanceof NotSignedIn) return visit.respond(toSignIn(visit));
    if (!(error instanceof Failure)) visit.report(error);
    return visit.respond(errorPage(frame, error, visit.id, act ? 'GET, HEAD, POST' : 'GET, HEAD'));
  }
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

/** A visitor's page may be kept by anybody, and one that somebody signed in for only by them. */
function kept({ headers }: Visit, given: Answer): Answer {
  if (given.status !== 200 || given.headers.has('Cache-Control')) return given;
  const checked = validated(given);
  if (!isAnonymous(headers)) given.headers.set('Cache-Control', 'private, no-cache');
  return checked;
}
