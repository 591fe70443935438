// The mail about notifications: those that are unread and visible to the person when it is sent.

import sql from 'sql-template-tag';
import type { ComposedMail, MailContext } from '../../core/mail/message.ts';
import { findConfirmedRecipient } from '../../core/mail/recipient.ts';
import { projectPath } from '../../core/paths.ts';
import { findReader } from '../../core/viewer/credentials.ts';
import { loadDetails, NotificationGroups } from './find-notifications.ts';
import { createUnsubscribeCode, loadNotificationSettings, unsubscribePath } from './notification-settings.ts';
import { formatSentence } from './sentence.ts';

const maxShown = 20;
const notificationsPath = '/account/notifications/';

/** Undefined if no notification is left. */
export async function composeNotifications({
  database,
  mail: { contributor },
  content,
  site,
  settings,
  linkTo,
}: MailContext): Promise<ComposedMail | undefined> {
  const recipient = await findConfirmedRecipient(database, contributor);
  if (!recipient) return undefined;
  const { account, to, language } = recipient;
  const { id, username } = account;
  const { mail } = await loadNotificationSettings(database, id);
  if (mail === 'never') return undefined;
  const viewer = await findReader(database, id);
  const isNew = sql`is_read = 0 and number > ${Number(content.after)} and number <= ${Number(content.upTo)}`;
  const groups = await new NotificationGroups(database, viewer, isNew).page(0, maxShown + 1);
  const notifications = await loadDetails(database, viewer, groups);
  if (notifications.length === 0) return undefined;
  const { t } = language;
  const unsubscribe = linkTo(unsubscribePath(await createUnsubscribeCode(database, id)));
  return {
    to,
    language,
    subject: t('mail.notifications.subject', { site }),
    paragraphs: [
      ...notifications.slice(0, maxShown).map((notification) => ({
        label: formatSentence(language, settings.timeZone, notification, notification.count),
        href: linkTo(
          notification.linkedProject ? projectPath(notification.linkedProject) : notificationsPath,
        ),
      })),
      { label: t('mail.notifications.all'), href: linkTo(notificationsPath) },
      t('mail.notice.account', { username, site }),
      { label: t('mail.notifications.unsubscribe'), href: unsubscribe },
    ],
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
