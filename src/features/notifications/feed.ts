// The Atom feed of a person's notifications. Feed readers cannot sign in: the secret is in the address.

import { prepareResponse, withEtag } from '#rest/prepared-response.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { loadContributor } from '../../core/contributors/find-contributors.ts';
import { escapeXml, formatAtomFeed, permanentId } from '../../core/escape-xml.ts';
import { formatInstant } from '../../core/instant.ts';
import { removeBidiControls } from '../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { listNotifications, loadDetails } from './find-notifications.ts';
import { findFeedViewer } from './notification-settings.ts';
import { formatSentence } from './sentence.ts';

const maxEntries = 50;
const path = '/account/notifications/';

/** The log leaves the value out. */
export const feedPath = (secret: string): string =>
  `/notifications.atom?${new URLSearchParams({ code: secret })}`;

/** Only the person's feed reader may store it, and search engines do not list it. */
const headers = {
  'Content-Type': 'application/atom+xml; charset=utf-8',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
  Vary: 'Cookie, Accept-Language',
};

async function showNotificationFeed(context: PageContext) {
  const { database, timeZone, layout, url, origin, request, t } = context;
  const secret = url.query.get('code') ?? '';
  const viewer = await findFeedViewer(database, secret);
  const owner = await loadContributor(database, requireSignedIn(viewer));
  const rows = await listNotifications(database, viewer, {}).page(0, maxEntries);
  const notifications = await loadDetails(database, viewer, rows);
  const body = formatAtomFeed({
    id: `https://${request.hostname}${path}${owner.id}/`,
    title: removeBidiControls(
      t('notifications.feedTitle', { name: displayName(owner), site: layout.site.name }),
    ),
    updated: formatInstant(notifications[0]?.created ?? owner.created, timeZone),
    feedUrl: origin + feedPath(secret),
    homeUrl: origin + path,
    entries: notifications.map((notification) => {
      const { number, created, by, newProject, linkedProject } = notification;
      const link = linkedProject ? projectPath(linkedProject) : path;
      return [
        `<id>${permanentId('notification', owner.id, owner.created, number)}</id>`,
        `<title>${escapeXml(formatSentence(layout.language, timeZone, notification))}</title>`,
        `<link rel="alternate" type="text/html" href="${escapeXml(origin + link)}"/>`,
        `<updated>${formatInstant(created, timeZone)}</updated>`,
        `<author><name>${escapeXml(by ? displayName(by) : layout.site.name)}</name></author>`,
        newProject && `<summary>${escapeXml(removeBidiControls(newProject.title))}</summary>`,
      ];
    }),
  });
  const ownHeaders = { 'Content-Language': layout.language.code, 'Cache-Control': 'private, no-cache' };
  return withEtag(prepareResponse(200, { ...headers, ...ownHeaders }, body));
}

export const notificationFeedRoutes = [page('/notifications.atom/', anyone, showNotificationFeed)];
