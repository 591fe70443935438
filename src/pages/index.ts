// Every page of the public site on one screen. A new page is a file beside this one and a line here.

import { type Context, Hono } from 'hono';
import type { RequestContext } from '../rest/request-context.ts';
import { account, leavePage, passwordPage, takeLeave, takeNames, takePassword } from './account/account.tsx';
import { addKey, dropKey, keysPage } from './account/keys.tsx';
import { beSignedIn, beSignedOut, signInPage } from './account/sign-in.tsx';
import { beSignedUp, signUpPage } from './account/sign-up.tsx';
import { takeComment, takeCopy, takeRating } from './acts.ts';
import { asset } from './assets.ts';
import { contributor } from './contributor.tsx';
import { embed } from './embed.tsx';
import { atomFeed, contributorAtomFeed, contributorJsonFeed, jsonFeed } from './feed.ts';
import { history } from './history.tsx';
import { home } from './home.tsx';
import { lineage } from './lineage.tsx';
import { look } from './look.ts';
import { awayPage, editPage, takeAway, takeEdit, takeState } from './making/edit.tsx';
import { addFiles, changeFile, filesPage, removeFile } from './making/files.tsx';
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
import { answerWith, nothing, type Page, type PageParts } from './serve.ts';
import { robots, sitemap, sitemapPart } from './sitemap.ts';
import { tags } from './tags.tsx';

export function pages(parts: PageParts): Hono<{ Bindings: RequestContext }> {
  const routes = new Hono<{ Bindings: RequestContext }>();
  const serve =
    (show: Page, act?: Page, { takesFiles = false } = {}) =>
    (context: Context<{ Bindings: RequestContext }>) =>
      answerWith(parts, { show, act, takesFiles }, context);
  const files = { takesFiles: true };

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
  routes.all('/content/:uuid/:slug/files/', serve(filesPage, addFiles, files));
  routes.all('/content/:uuid/:slug/files/:number/', serve(filesPage, changeFile));
  routes.all('/content/:uuid/:slug/files/:number/remove/', serve(filesPage, removeFile));
  routes.all('/content/:uuid/:slug/state/', serve(project, takeState));
  routes.all('/content/:uuid/:slug/away/', serve(awayPage, takeAway));
  routes.all('/content/:uuid/:slug/report/', serve(reportPage, takeReport));
  routes.all('/content/:uuid/:slug/report/sent/', serve(reportSent));

  routes.all('/contributors/:name/', serve(contributor));
  routes.all('/contributors/:name/feed.atom/', serve(contributorAtomFeed));
  routes.all('/contributors/:name/feed.json/', serve(contributorJsonFeed));

  routes.all('/new/', serve(choosePage));
  routes.all('/new/:type/', serve(newPage, makeNew, files));
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
