// Dump lines for notifications and their settings. They belong to the change log: a gallery takes them over together
// with it, and otherwise leaves them out. An import notifies nobody.

import { notificationKinds } from '../../core/changes/change-kinds.ts';
import { notificationSettingTable, notificationTable } from '../../core/changes/tables.ts';
import {
  convert,
  count,
  flag,
  id,
  instant,
  nullable,
  oneOf,
  optional,
  text,
} from '../../core/dump/line-format.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { areNotificationsOf } from './find-notifications.ts';
import { mailFrequencies } from './notification-settings.ts';

const createPlainKind = () =>
  tableKind(
    notificationTable,
    {
      contributor: id,
      number: id,
      kind: oneOf(notificationKinds()),
      subject: id,
      actor: nullable(id),
      created: instant,
      is_read: convert(flag, Number, Boolean),
    },
    {
      describeChange: null,
      rights: 'none',
      ownData: {
        rows: (contributor) => areNotificationsOf({ ...anonymous, contributor }),
        // Without who gave a rating.
        show: (row) => ({ ...row, actor: row.kind === 'rated' ? null : row.actor }),
      },
    },
  );

/** Not before somebody asks: features add kinds of notifications. */
export const createNotificationKind = (): ReturnType<typeof createPlainKind> => ({
  ...createPlainKind(),
  async importBatch(context, batch) {
    const { transaction, log } = context;
    if (!log.isTakenOver) return;
    for (const { lineNumber, entry } of batch)
      if (!log.hasTakenOver(entry.number)) context.refuse(lineNumber, 'number: there is no such change.');
    await transaction.insertMissing(
      notificationTable,
      batch.map(({ entry }) => entry),
    );
  },
});

/** Without the address of the feed. */
export const createSettingKind = () =>
  tableKind(
    notificationSettingTable,
    {
      contributor: id,
      muted: text({ maxLength: notificationKinds().join(' ').length }),
      mail: optional(oneOf(mailFrequencies)),
      mailed: count,
    },
    {
      describeChange: null,
      rights: 'none',
      ownData: true,
      async write({ transaction, log }, rows) {
        if (!log.isTakenOver) return;
        await transaction.upsert(
          notificationSettingTable,
          rows.map((row) => ({ ...row, feed_hash: null, next_mail: 0 })),
        );
      },
    },
  );
