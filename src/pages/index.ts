// The routes of the public site: each page declares its own. A new page is a file in this folder and a line here.

import { type Context, Hono } from 'hono';
import type { RequestContext } from '../rest/request-context.ts';
import { accountRoutes } from './account/account.tsx';
import { elsewhereRoutes } from './account/elsewhere.tsx';
import { emailRoutes } from './account/email.tsx';
import { forgottenPasswordRoutes } from './account/forgotten-password.tsx';
import { codeRoutes } from './account/invitation-code.tsx';
import { keyRoutes } from './account/keys.tsx';
import { linkedRoutes } from './account/linked.tsx';
import { passkeyFormRoutes } from './account/passkey-form.tsx';
import { passkeyRoutes } from './account/passkeys.tsx';
import { profileRoutes } from './account/profile.tsx';
import { secondFactorRoutes } from './account/second-factor.tsx';
import { secondFactorSignInRoutes } from './account/second-factor-sign-in.tsx';
import { sessionRoutes } from './account/sessions.tsx';
import { signInRoutes } from './account/sign-in.tsx';
import { signUpRoutes } from './account/sign-up.tsx';
import { webhookRoutes } from './account/webhook.tsx';
import { webhookListRoutes } from './account/webhooks.tsx';
import { siteRoutes } from './admin/site.tsx';
import { statisticRoutes } from './admin/statistics.tsx';
import { serveAsset, serveFavicon, serveTouchIcon } from './assets.ts';
import { bookmarkRoutes } from './bookmarks/bookmarks.tsx';
import { courseRoutes } from './classes/course.tsx';
import { guardianRoutes } from './classes/guardian.tsx';
import { joinRoutes } from './classes/join.tsx';
import { classPeopleRoutes } from './classes/people.tsx';
import { pupilRoutes } from './classes/pupil.tsx';
import { classWaitingRoutes } from './classes/waiting.tsx';
import { arrangeRoutes } from './collections/arrange.tsx';
import { collectRoutes } from './collections/collect.tsx';
import { labelRoutes } from './collections/labels.tsx';
import { offerRoutes } from './collections/offer.tsx';
import { peopleOfCollectionRoutes } from './collections/people.tsx';
import { contributorRoutes } from './contributor/contributor.tsx';
import { nameReportRoutes } from './contributor/report-name.tsx';
import { describeRoutes } from './editing/describe.tsx';
import { editRoutes } from './editing/edit.tsx';
import { fileRoutes } from './editing/files.tsx';
import { newProjectRoutes } from './editing/new.tsx';
import { ownProjectRoutes } from './editing/own-projects.tsx';
import { textPreviewRoutes } from './editing/project-form.tsx';
import { feedRoutes } from './feeds/feeds.ts';
import { oembedRoutes } from './feeds/oembed.tsx';
import { sitemapRoutes } from './feeds/sitemap.ts';
import { wellKnownRoutes } from './feeds/well-known.ts';
import { followingRoutes } from './follows/following.tsx';
import { handInRoutes } from './hand-ins/hand-ins.tsx';
import { homeRoutes } from './home/home.tsx';
import { siteTextRoutes } from './home/site-texts.tsx';
import { tagRoutes } from './home/tags.tsx';
import { wallRoutes } from './home/wall.tsx';
import { accentRoute } from './layout/accent.tsx';
import { preferenceRoutes } from './layout/footer.tsx';
import { manifestRoute } from './layout/manifest.ts';
import { accountFormRoutes } from './moderation/account-forms.tsx';
import { classListRoutes } from './moderation/classes.tsx';
import { decisionRoutes } from './moderation/decision.tsx';
import { invitationRoutes } from './moderation/invitations.tsx';
import { logRoutes } from './moderation/log.tsx';
import { peopleRoutes } from './moderation/people.tsx';
import { queueRoutes } from './moderation/queue.tsx';
import { removedRoutes } from './moderation/removed.tsx';
import { roleRoutes } from './moderation/role-form.tsx';
import { moderationTrashRoutes } from './moderation/trash.tsx';
import { waitingRoutes } from './moderation/waiting.tsx';
import { notificationFeedRoutes } from './notifications/feed.ts';
import { notificationRoutes } from './notifications/page.tsx';
import { unsubscribeRoutes } from './notifications/unsubscribe.tsx';
import { importOwnDataRoutes } from './own-data/import.tsx';
import { anyone, type PageDependencies, type PageRoute, page, seeOther } from './page.ts';
import { previewRoutes } from './previews/images.ts';
import { comparisonRoutes } from './project/comparison.tsx';
import { embedRoutes } from './project/embed.tsx';
import { historyRoutes } from './project/history.tsx';
import { lineageRoutes } from './project/lineage.tsx';
import { projectRoutes } from './project/project.tsx';
import { qrCodeRoutes } from './project/qr-code.ts';
import { reportRoutes } from './project/report.tsx';
import { restoreVersionRoutes } from './project/restore-version.tsx';
import { submissionRoutes } from './project/submissions.ts';
import { servePage } from './serve.ts';
import { setupRoutes } from './setup/setup.tsx';

/** Of two that match a path, the first answers: an embedded project comes before one with any slug. */
const routes = [
  ...homeRoutes,
  ...tagRoutes,
  ...wallRoutes,
  ...feedRoutes,
  ...embedRoutes,
  ...qrCodeRoutes,
  ...previewRoutes,
  ...projectRoutes,
  ...submissionRoutes,
  ...lineageRoutes,
  ...historyRoutes,
  ...comparisonRoutes,
  ...restoreVersionRoutes,
  ...reportRoutes,
  ...arrangeRoutes,
  ...collectRoutes,
  ...offerRoutes,
  ...peopleOfCollectionRoutes,
  ...labelRoutes,
  ...describeRoutes,
  ...editRoutes,
  ...fileRoutes,
  ...newProjectRoutes,
  ...textPreviewRoutes,
  ...ownProjectRoutes,
  ...bookmarkRoutes,
  ...classWaitingRoutes,
  ...handInRoutes,
  ...classPeopleRoutes,
  ...pupilRoutes,
  ...joinRoutes,
  ...courseRoutes,
  ...guardianRoutes,
  ...followingRoutes,
  ...contributorRoutes,
  ...nameReportRoutes,
  ...siteTextRoutes,
  ...siteRoutes,
  ...setupRoutes,
  ...statisticRoutes,
  ...queueRoutes,
  ...decisionRoutes,
  ...logRoutes,
  ...removedRoutes,
  ...waitingRoutes,
  ...moderationTrashRoutes,
  ...peopleRoutes,
  ...accountFormRoutes,
  ...roleRoutes,
  ...invitationRoutes,
  ...classListRoutes,
  ...signInRoutes,
  ...passkeyFormRoutes,
  ...elsewhereRoutes,
  ...secondFactorSignInRoutes,
  ...signUpRoutes,
  ...codeRoutes,
  ...forgottenPasswordRoutes,
  ...emailRoutes,
  ...accountRoutes,
  ...profileRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...webhookListRoutes,
  ...webhookRoutes,
  ...passkeyRoutes,
  ...linkedRoutes,
  ...secondFactorRoutes,
  ...notificationRoutes,
  ...unsubscribeRoutes,
  ...notificationFeedRoutes,
  ...importOwnDataRoutes,
  ...preferenceRoutes,
  ...oembedRoutes,
  ...sitemapRoutes,
  ...wellKnownRoutes,
  page('/.well-known/change-password/', anyone, async () => seeOther('/account/password/')),
  page('/favicon.ico/', anyone, async () => serveFavicon()),
  page('/apple-touch-icon.png/', anyone, async () => serveTouchIcon()),
  accentRoute,
  manifestRoute,
  page('/assets/:file/', anyone, async ({ url }) => serveAsset(url.path)),
  { paths: ['*'] },
];

/** By their paths. */
export const pageRoutes: Record<string, Omit<PageRoute, 'paths'>> = {};
for (const { paths, ...route } of routes)
  for (const path of paths) pageRoutes[path] = { ...pageRoutes[path], ...route };

export function createPageRoutes(deps: PageDependencies): Hono<{ Bindings: RequestContext }> {
  const hono = new Hono<{ Bindings: RequestContext }>();
  for (const [path, route] of Object.entries(pageRoutes))
    hono.all(path, (c: Context<{ Bindings: RequestContext }>) => servePage(deps, route, c));
  return hono;
}
