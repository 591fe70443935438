import { notificationKinds } from '../changes/kinds.ts';
import { defineLine, type LineOf } from '../line-format.ts';
import { count, flag, id, instant, nullable, oneOf, optional, text } from '../line-members.ts';
import type { Notification } from './notification.ts';
import { mailFrequencies } from './settings.ts';

export const notificationLine = defineLine('notification', {
  contributor: id,
  number: id,
  kind: oneOf(notificationKinds),
  subject: id,
  actor: nullable(id),
  created: instant,
  is_read: flag,
});
export type NotificationLine = LineOf<typeof notificationLine>;

export const formatNotificationLine = (row: Notification): string =>
  notificationLine.stringify({ ...row, is_read: row.is_read === 1 });

/** Without the address of the feed. */
export const notificationSettingLine = defineLine('notification_setting', {
  contributor: id,
  muted: text({ maxLength: 100 }),
  mail: optional(oneOf(mailFrequencies)),
  mailed: count,
});
export type NotificationSettingLine = LineOf<typeof notificationSettingLine>;
