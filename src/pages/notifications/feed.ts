// The Atom feed of a person's notifications. Feed readers cannot sign in: the secret is in the address.

import { displayName } from '../../gallery/contributors/contributor.ts';
import { loadContributor } from '../../gallery/contributors/find.ts';
import { formatInstant } from '../../gallery/instant.ts';
import {
  listNotifications,
  loadDetails,
  type NotificationDetails,
} from '../../gallery/notifications/find.ts';
import { findFeedViewer } from '../../gallery/notifications/settings.ts';
import { projectPath } from '../../gallery/paths.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { prepareResponse, withEtag } from '../../rest/prepared-response.ts';
import { escapeXml, permanentId, xmlDeclaration } from '../feeds/xml.ts';
import { removeBidiControls } from '../layout/layout.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { formatSentence } from './sentence.ts';

const maxEntries = 50;

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

export async function showNotificationFeed(
  { database, timeZone }: PageDependencies,
  { layout, url, origin, request: { hostname } }: PageContext,
) {
  const secret = url.query.get('code') ?? '';
  const viewer = await findFeedViewer(database, secret);
  const owner = await loadContributor(database, requireSignedIn(viewer));
  const rows = await listNotifications(database, viewer, {}).page(0, maxEntries);
  const notifications = await loadDetails(database, viewer, rows);
  const { t, code } = layout.language;
  const toEntry = (notification: NotificationDetails) => {
    const { number, created, by, newProject, linkedProject } = notification;
    const link = linkedProject ? projectPath(linkedProject) : '/account/notifications/';
    return [
      '<entry>',
      `<id>${permanentId('notification', owner.id, owner.created, number)}</id>`,
      `<title>${escapeXml(formatSentence(layout.language, notification))}</title>`,
      `<link rel="alternate" type="text/html" href="${escapeXml(origin + link)}"/>`,
      `<updated>${formatInstant(created, timeZone)}</updated>`,
      `<author><name>${escapeXml(by ? displayName(by) : layout.site.name)}</name></author>`,
      ...(newProject ? [`<summary>${escapeXml(removeBidiControls(newProject.title))}</summary>`] : []),
      '</entry>',
    ].join('');
  };
  const title = t('notifications.feedTitle', { name: displayName(owner), site: layout.site.name });
  const body = [
    `${xmlDeclaration}<feed xmlns="http://www.w3.org/2005/Atom">`,
    `<id>https://${hostname}/account/notifications/${owner.id}/</id>`,
    `<title>${escapeXml(removeBidiControls(title))}</title>`,
    `<updated>${formatInstant(notifications[0]?.created ?? owner.created, timeZone)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(origin + feedPath(secret))}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(origin)}/account/notifications/"/>`,
    ...notifications.map(toEntry),
    '</feed>\n',
  ];
  const response = withEtag(prepareResponse(200, { ...headers, 'Content-Language': code }, body.join('\n')));
  response.headers.set('Cache-Control', 'private, no-cache');
  return response;
}
