// The routes of the public site. A new page is a file in this folder and a line here.

import { type Context, Hono } from 'hono';
import type { RequestContext } from '../rest/request-context.ts';
import {
  showAccountPage,
  showLeavePage,
  showPasswordPage,
  submitLeave,
  submitNames,
  submitPassword,
} from './account/account.tsx';
import { showKeysPage, submitKeyRevocation, submitNewKey } from './account/keys.tsx';
import { showSignInPage, submitSignIn, submitSignOut } from './account/sign-in.tsx';
import { showSignUpPage, submitSignUp } from './account/sign-up.tsx';
import { serveAsset } from './assets.ts';
import { showContributorPage } from './contributor.tsx';
import { showEditPage, showMoveToTrashPage, submitEdit, submitStatus, submitTrash } from './editing/edit.tsx';
import { showFilesPage, submitFileChange, submitFileRemoval, submitNewFile } from './editing/files.tsx';
import { showNewProjectPage, showTypeChoicePage, submitNewProject } from './editing/new.tsx';
import { showOwnProjectsPage, submitRestore } from './editing/own-projects.tsx';
import { showPreview } from './editing/preview.ts';
import { showEmbedPage } from './embed.tsx';
import { showAtomFeed, showContributorAtomFeed, showContributorJsonFeed, showJsonFeed } from './feeds.ts';
import { showHistoryPage } from './history.tsx';
import { showHomePage } from './home.tsx';
import { showLineagePage } from './lineage.tsx';
import { submitDecision, submitUndo } from './moderation/decision-submissions.ts';
import { showLogPage } from './moderation/log.tsx';
import { showPeoplePage, submitAccountState, submitInvitation } from './moderation/people.tsx';
import { showQueuePage } from './moderation/queue.tsx';
import { showRemovedPage, submitRestoreRemoved } from './moderation/removed.tsx';
import { showTrashPage, submitRestoreTrashed } from './moderation/trash.tsx';
import { showOembed } from './oembed.tsx';
import type { PageDependencies, PageHandler } from './page-context.ts';
import { showProjectPage } from './project.tsx';
import { submitComment, submitCopy, submitRating } from './project-submissions.ts';
import { showReportPage, showReportSentPage, submitReport } from './report.tsx';
import { servePage, showNotFound } from './serve.ts';
import { showRobotsTxt, showSitemap, showSitemapIndex } from './sitemap.ts';
import { showTagsPage } from './tags.tsx';
import { setTheme } from './theme.ts';

export function createPageRoutes(deps: PageDependencies): Hono<{ Bindings: RequestContext }> {
  const routes = new Hono<{ Bindings: RequestContext }>();
  const serve =
    (show: PageHandler, submit?: PageHandler, { acceptsFiles = false } = {}) =>
    (c: Context<{ Bindings: RequestContext }>) =>
      servePage(deps, { show, submit, acceptsFiles }, c);
  const files = { acceptsFiles: true };

  routes.all('/', serve(showHomePage));
  routes.all('/feed.atom/', serve(showAtomFeed));
  routes.all('/feed.json/', serve(showJsonFeed));
  routes.all('/tags/', serve(showTagsPage));

  routes.all('/content/:uuid/', serve(showProjectPage));
  routes.all('/content/:uuid/embed/', serve(showEmbedPage));
  routes.all('/content/:uuid/:slug/', serve(showProjectPage));
  routes.all('/content/:uuid/:slug/embed/', serve(showEmbedPage));
  routes.all('/content/:uuid/:slug/lineage/', serve(showLineagePage));
  routes.all('/content/:uuid/:slug/history/', serve(showHistoryPage));
  routes.all('/content/:uuid/:slug/copy/', serve(showProjectPage, submitCopy));
  routes.all('/content/:uuid/:slug/rate/', serve(showProjectPage, submitRating));
  routes.all('/content/:uuid/:slug/comment/', serve(showProjectPage, submitComment));
  routes.all('/content/:uuid/:slug/edit/', serve(showEditPage, submitEdit));
  routes.all('/content/:uuid/:slug/files/', serve(showFilesPage, submitNewFile, files));
  routes.all('/content/:uuid/:slug/files/:number/', serve(showFilesPage, submitFileChange));
  routes.all('/content/:uuid/:slug/files/:number/remove/', serve(showFilesPage, submitFileRemoval));
  routes.all('/content/:uuid/:slug/state/', serve(showProjectPage, submitStatus));
  routes.all('/content/:uuid/:slug/away/', serve(showMoveToTrashPage, submitTrash));
  routes.all('/content/:uuid/:slug/report/', serve(showReportPage, submitReport));
  routes.all('/content/:uuid/:slug/report/sent/', serve(showReportSentPage));

  routes.all('/contributors/:name/', serve(showContributorPage));
  routes.all('/contributors/:name/feed.atom/', serve(showContributorAtomFeed));
  routes.all('/contributors/:name/feed.json/', serve(showContributorJsonFeed));

  routes.all('/new/', serve(showTypeChoicePage));
  routes.all('/new/:type/', serve(showNewProjectPage, submitNewProject, files));
  routes.all('/preview/', serve(showNotFound, showPreview));
  routes.all('/mine/', serve(showOwnProjectsPage));
  routes.all('/mine/trash/:id/restore/', serve(showNotFound, submitRestore));

  routes.all('/moderation/', serve(showQueuePage, submitDecision));
  routes.all('/moderation/log/', serve(showLogPage));
  routes.all('/moderation/log/:id/undo/', serve(showLogPage, submitUndo));
  routes.all('/moderation/removed/', serve(showRemovedPage, submitRestoreRemoved));
  routes.all('/moderation/trash/', serve(showTrashPage, submitRestoreTrashed));
  routes.all('/moderation/people/', serve(showPeoplePage, submitAccountState));
  routes.all('/moderation/people/invitation/', serve(showPeoplePage, submitInvitation));

  routes.all('/sign-in/', serve(showSignInPage, submitSignIn));
  routes.all('/sign-up/', serve(showSignUpPage, submitSignUp));
  routes.all('/sign-out/', serve(showNotFound, submitSignOut));
  routes.all('/account/', serve(showAccountPage, submitNames));
  routes.all('/account/password/', serve(showPasswordPage, submitPassword));
  routes.all('/account/keys/', serve(showKeysPage, submitNewKey));
  routes.all('/account/keys/:id/revoke/', serve(showNotFound, submitKeyRevocation));
  routes.all('/account/leave/', serve(showLeavePage, submitLeave));
  routes.all('/look/', serve(showNotFound, setTheme));

  routes.all('/oembed/', serve(showOembed));
  routes.all('/sitemap.xml/', serve(showSitemapIndex));
  routes.all('/sitemaps/:range/', serve(showSitemap));
  routes.all('/robots.txt/', serve(showRobotsTxt));
  routes.all(
    '/assets/:file/',
    serve(async (_, { url }) => serveAsset(url.path)),
  );
  routes.all('*', serve(showNotFound));
  return routes;
}
