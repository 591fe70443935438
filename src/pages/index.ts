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
import { submitAvatar, submitAvatarRemoval } from './account/avatar.tsx';
import { showConfirmEmailPage, showEmailPage, submitConfirmEmail, submitEmail } from './account/email.tsx';
import {
  showForgottenPage,
  showNewPasswordPage,
  submitForgotten,
  submitNewPassword,
} from './account/forgotten-password.tsx';
import { showKeysPage, submitKeyRevocation, submitNewKey } from './account/keys.tsx';
import { submitPasskeySignIn, submitSignInOptions } from './account/passkey-form.tsx';
import {
  showPasskeysPage,
  showRemovePasskeyPage,
  submitCreationOptions,
  submitNewPasskey,
  submitPasskeyRemoval,
} from './account/passkeys.tsx';
import { showProfileForm, submitProfile } from './account/profile.tsx';
import {
  showSecondFactorPage,
  submitNewCodes,
  submitTurnOff,
  submitTurnOn,
} from './account/second-factor.tsx';
import {
  showSecondFactorSignIn,
  submitRecoveryCode,
  submitSecondFactorOptions,
  submitSecondFactorPasskey,
} from './account/second-factor-sign-in.tsx';
import { submitOtherSessionsEnd, submitSessionEnd } from './account/sessions.tsx';
import { showSignInPage, submitSignIn, submitSignOut } from './account/sign-in.tsx';
import { showSignUpPage, submitSignUp } from './account/sign-up.tsx';
import {
  showAttemptPage,
  showDeletionPage,
  showSecretPage,
  showWebhookPage,
  submitNewSecret,
  submitRedelivery,
  submitWebhookDeletion,
  submitWebhookSwitch,
} from './account/webhook.tsx';
import { showWebhooksPage, submitNewWebhook } from './account/webhooks.tsx';
import { showSitePage, submitSite } from './admin/site.tsx';
import { showStatisticsPage } from './admin/statistics.tsx';
import { serveAsset, serveFavicon } from './assets.ts';
import { showContributorPage } from './contributor/contributor.tsx';
import { showReportNamePage, submitNameReport } from './contributor/report-name.tsx';
import { showEditPage, showMoveToTrashPage, submitEdit, submitStatus, submitTrash } from './editing/edit.tsx';
import { showFilesPage, submitArrangement, submitNewFiles } from './editing/files.tsx';
import { showNewProjectPage, showTypeChoicePage, submitNewProject } from './editing/new.tsx';
import { showOwnProjectsPage, submitRestore } from './editing/own-projects.tsx';
import { showPreview } from './editing/preview.ts';
import {
  showAtomFeed,
  showContributorAtomFeed,
  showContributorJsonFeed,
  showJsonFeed,
} from './feeds/feeds.ts';
import { showOembed } from './feeds/oembed.tsx';
import { showSitemap, showSitemapIndex } from './feeds/sitemap.ts';
import { showApiCatalog, showLlmsTxt, showRobotsTxt, showSecurityTxt } from './feeds/well-known.ts';
import { showHomePage } from './home/home.tsx';
import { showAboutPage, showRulesPage } from './home/site-texts.tsx';
import { showTagsPage } from './home/tags.tsx';
import { showWallPage } from './home/wall.tsx';
import { setLanguage, setTheme } from './layout/preferences.ts';
import { submitAccountState } from './moderation/account.tsx';
import { submitDecision, submitUndo } from './moderation/decision.tsx';
import { submitEmailOf } from './moderation/email.tsx';
import { submitInvitations } from './moderation/invitations.tsx';
import { showLogPage } from './moderation/log.tsx';
import { submitNameDecision } from './moderation/names.tsx';
import { submitPasswordLink } from './moderation/password-link.tsx';
import { showPeoplePage } from './moderation/people.tsx';
import { submitAvatarRemovalByModerator, submitProfileRemoval } from './moderation/profile.tsx';
import { showQueuePage } from './moderation/queue.tsx';
import { showRemovedPage, submitRestoreRemoved } from './moderation/removed.tsx';
import { showTrashPage, submitRestoreTrashed } from './moderation/trash.tsx';
import { showNotificationFeed } from './notifications/feed.ts';
import {
  showNotificationsPage,
  submitFeedEnd,
  submitMarkRead,
  submitNewFeed,
  submitSettings,
} from './notifications/page.tsx';
import { showUnsubscribePage, submitUnsubscribe } from './notifications/unsubscribe.tsx';
import { showImportPage, submitImport } from './own-data/import.tsx';
import type { PageDependencies, PageHandler } from './page-context.ts';
import { showContributorPreview, showProjectPreview, showSitePreview } from './previews/images.ts';
import { showEmbedPage } from './project/embed.tsx';
import { showHistoryPage, submitHistoryVisibility, submitRedaction } from './project/history.tsx';
import { showLineagePage } from './project/lineage.tsx';
import { showProjectPage } from './project/project.tsx';
import { showQrCode } from './project/qr-code.ts';
import { showReportPage, showReportSentPage, submitReport } from './project/report.tsx';
import { submitComment, submitCopy, submitPin, submitRating } from './project/submissions.ts';
import { seeOther } from './redirects.ts';
import { type PageRoute, servePage, showNotFound } from './serve.ts';

const route = (
  show: PageHandler,
  submit?: PageHandler,
  { acceptsFiles = false, acceptsArchive = false, isOpen = false } = {},
): PageRoute => ({ show, submit, acceptsFiles, acceptsArchive, isOpen });
const files = { acceptsFiles: true };
const routeForPrograms = (show: PageHandler) => route(show, undefined, { isOpen: true });

/** By their paths. */
export const pageRoutes: Readonly<Record<string, PageRoute>> = {
  '/': route(showHomePage),
  '/:file{preview-[a-z0-9]+\\.png}/': route(showSitePreview),
  '/feed.atom/': routeForPrograms(showAtomFeed),
  '/feed.json/': routeForPrograms(showJsonFeed),
  '/tags/': route(showTagsPage),
  '/wall/': route(showWallPage),

  '/content/:uuid/': route(showProjectPage),
  '/content/:uuid/embed/': route(showEmbedPage),
  '/content/:uuid/qr.svg/': route(showQrCode),
  '/content/:uuid/:file{preview-[a-z0-9]+\\.png}/': route(showProjectPreview),
  '/content/:uuid/:slug/': route(showProjectPage),
  '/content/:uuid/:slug/embed/': route(showEmbedPage),
  '/content/:uuid/:slug/lineage/': route(showLineagePage),
  '/content/:uuid/:slug/history/': route(showHistoryPage, submitHistoryVisibility),
  '/content/:uuid/:slug/history/:sequence/redact/': route(showNotFound, submitRedaction),
  '/content/:uuid/:slug/copy/': route(showProjectPage, submitCopy),
  '/content/:uuid/:slug/rate/': route(showProjectPage, submitRating),
  '/content/:uuid/:slug/pin/': route(showProjectPage, submitPin),
  '/content/:uuid/:slug/comment/': route(showProjectPage, submitComment),
  '/content/:uuid/:slug/edit/': route(showEditPage, submitEdit),
  '/content/:uuid/:slug/files/': route(showFilesPage, submitNewFiles, files),
  '/content/:uuid/:slug/files/save/': route(showFilesPage, submitArrangement),
  '/content/:uuid/:slug/status/': route(showProjectPage, submitStatus),
  '/content/:uuid/:slug/trash/': route(showMoveToTrashPage, submitTrash),
  '/content/:uuid/:slug/report/': route(showReportPage, submitReport),
  '/content/:uuid/:slug/report/sent/': route(showReportSentPage),

  '/contributors/:name/': route(showContributorPage),
  '/contributors/:name/report/': route(showReportNamePage, submitNameReport),
  '/contributors/:name/:file{preview-[a-z0-9]+\\.png}/': route(showContributorPreview),
  '/contributors/:name/feed.atom/': routeForPrograms(showContributorAtomFeed),
  '/contributors/:name/feed.json/': routeForPrograms(showContributorJsonFeed),

  '/new/': route(showTypeChoicePage),
  '/new/:type/': route(showNewProjectPage, submitNewProject, files),
  '/preview/': route(showNotFound, showPreview),
  '/mine/': route(showOwnProjectsPage),
  '/mine/trash/:id/restore/': route(showNotFound, submitRestore),

  '/about/': route(showAboutPage),
  '/rules/': route(showRulesPage),
  '/admin/site/': route(showSitePage, submitSite, files),
  '/admin/statistics/': route(showStatisticsPage),

  '/moderation/': route(showQueuePage, submitDecision),
  '/moderation/log/': route(showLogPage),
  '/moderation/log/:id/undo/': route(showLogPage, submitUndo),
  '/moderation/removed/': route(showRemovedPage, submitRestoreRemoved),
  '/moderation/trash/': route(showTrashPage, submitRestoreTrashed),
  '/moderation/people/': route(showPeoplePage, submitAccountState),
  '/moderation/people/names/': route(showPeoplePage, submitNameDecision),
  '/moderation/people/profile/': route(showPeoplePage, submitProfileRemoval),
  '/moderation/people/avatar/': route(showPeoplePage, submitAvatarRemovalByModerator),
  '/moderation/people/email/': route(showPeoplePage, submitEmailOf),
  '/moderation/people/password/': route(showPeoplePage, submitPasswordLink),
  '/moderation/people/invitation/': route(showPeoplePage, submitInvitations),

  '/sign-in/': route(showSignInPage, submitSignIn),
  '/sign-in/passkey/': route(showSignInPage, submitPasskeySignIn),
  '/sign-in/passkey/options/': route(showNotFound, submitSignInOptions),
  '/sign-in/second-step/': route(showSecondFactorSignIn, submitRecoveryCode),
  '/sign-in/second-step/passkey/': route(showSecondFactorSignIn, submitSecondFactorPasskey),
  '/sign-in/second-step/passkey/options/': route(showNotFound, submitSecondFactorOptions),
  '/sign-up/': route(showSignUpPage, submitSignUp),
  '/forgotten-password/': route(showForgottenPage, submitForgotten),
  '/confirm-email/': route(showConfirmEmailPage, submitConfirmEmail),
  '/new-password/': route(showNewPasswordPage, submitNewPassword),
  '/sign-out/': route(showNotFound, submitSignOut),
  '/account/': route(showAccountPage, submitNames),
  '/account/profile/': route(showProfileForm, submitProfile),
  '/account/profile/avatar/': route(showProfileForm, submitAvatar, files),
  '/account/profile/avatar/remove/': route(showProfileForm, submitAvatarRemoval),
  '/account/email/': route(showEmailPage, submitEmail),
  '/account/password/': route(showPasswordPage, submitPassword),
  '/account/sessions/end-others/': route(showNotFound, submitOtherSessionsEnd),
  '/account/sessions/:id/end/': route(showNotFound, submitSessionEnd),
  '/account/keys/': route(showKeysPage, submitNewKey),
  '/account/keys/:id/revoke/': route(showNotFound, submitKeyRevocation),
  '/account/webhooks/': route(showWebhooksPage, submitNewWebhook),
  '/account/webhooks/:id/': route(showWebhookPage),
  '/account/webhooks/:id/on/': route(showNotFound, submitWebhookSwitch(true)),
  '/account/webhooks/:id/off/': route(showNotFound, submitWebhookSwitch(false)),
  '/account/webhooks/:id/redeliver/': route(showWebhookPage, submitRedelivery),
  '/account/webhooks/:id/secret/': route(showSecretPage, submitNewSecret),
  '/account/webhooks/:id/delete/': route(showDeletionPage, submitWebhookDeletion),
  '/account/webhooks/:id/attempts/:attempt/': route(showAttemptPage),
  '/account/passkeys/': route(showPasskeysPage, submitNewPasskey),
  '/account/passkeys/options/': route(showNotFound, submitCreationOptions),
  '/account/passkeys/:id/remove/': route(showRemovePasskeyPage, submitPasskeyRemoval),
  '/account/second-step/': route(showSecondFactorPage, submitTurnOn),
  '/account/second-step/codes/': route(showSecondFactorPage, submitNewCodes),
  '/account/second-step/off/': route(showSecondFactorPage, submitTurnOff),
  '/account/notifications/': route(showNotificationsPage, submitMarkRead),
  '/account/notifications/settings/': route(showNotFound, submitSettings),
  '/account/notifications/feed/': route(showNotFound, submitNewFeed),
  '/account/notifications/feed/end/': route(showNotFound, submitFeedEnd),
  '/unsubscribe/': route(showUnsubscribePage, submitUnsubscribe),
  '/notifications.atom/': route(showNotificationFeed),
  '/account/import/': route(showImportPage, submitImport, { acceptsArchive: true }),
  '/account/leave/': route(showLeavePage, submitLeave),
  '/theme/': route(showNotFound, setTheme),
  '/language/': route(showNotFound, setLanguage),

  '/oembed/': routeForPrograms(showOembed),
  '/sitemap.xml/': route(showSitemapIndex),
  '/sitemaps/:range/': route(showSitemap),
  '/robots.txt/': route(showRobotsTxt),
  '/llms.txt/': route(showLlmsTxt),
  '/.well-known/api-catalog/': route(showApiCatalog),
  '/.well-known/security.txt/': route(showSecurityTxt),
  '/.well-known/change-password/': route(async () => seeOther('/account/password/')),
  '/favicon.ico/': route(async () => serveFavicon()),
  '/assets/:file/': route(async ({ url }) => serveAsset(url.path)),
  '*': route(showNotFound),
};

export function createPageRoutes(deps: PageDependencies): Hono<{ Bindings: RequestContext }> {
  const routes = new Hono<{ Bindings: RequestContext }>();
  for (const [path, pageRoute] of Object.entries(pageRoutes))
    routes.all(path, (c: Context<{ Bindings: RequestContext }>) => servePage(deps, pageRoute, c));
  return routes;
}
