// Dump lines for notifications and their settings. They belong to the change log: a gallery takes them over together
// with it, and otherwise leaves them out. An import notifies nobody.

import { notificationSettingTable, notificationTable } from '../../../database/schema.ts';
import { notificationColumns } from '../../../gallery/notifications/notification.ts';
import {
  formatNotificationLine,
  type NotificationLine,
  type NotificationSettingLine,
  notificationLine,
  notificationSettingLine,
} from '../../../gallery/notifications/notification-line.ts';
import { settingColumns } from '../../../gallery/notifications/settings.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';

export const notificationKind: LineKind<NotificationLine> = {
  format: notificationLine,
  exporter: exportTable(notificationTable, notificationColumns, formatNotificationLine),

  async importBatch({ transaction, log, refuse }, batch) {
    if (!log.isTakenOver) return;
    for (const { lineNumber, entry } of batch)
      if (!log.hasTakenOver(entry.number)) refuse(lineNumber, 'number: there is no such change.');
    await transaction.insertMissing(
      notificationTable,
      batch.map(({ entry }) => ({ ...entry, is_read: entry.is_read ? 1 : 0 })),
    );
  },
};

export const notificationSettingKind: LineKind<NotificationSettingLine> = {
  format: notificationSettingLine,
  exporter: exportTable(notificationSettingTable, settingColumns, notificationSettingLine.stringify),

  async importBatch({ transaction, log }, batch) {
    if (!log.isTakenOver) return;
    await transaction.upsert(
      notificationSettingTable,
      keepLast(batch, ({ contributor }) => contributor).map((entry) => ({
        ...entry,
        feed_hash: null,
        next_mail: 0,
      })),
    );
  },
};
