import type { Migration } from '../migrate.ts';

/** See gallery/notifications/. The databases write the rows together with the entries of the change log. */
export const notifications: Migration = {
  name: 'notifications',
  statements: ({ integer, text, notifications = [] }) => [
    `create table notification (
      contributor ${integer} not null,
      number ${integer} not null,
      kind ${text} not null,
      subject ${integer} not null,
      actor ${integer},
      created ${integer} not null,
      is_read ${integer} not null,
      primary key (contributor, number)
    )`,
    // Nobody is notified twice of the same: a rating that was withdrawn and given again, a copy that was published again.
    'create unique index notification_once on notification (contributor, kind, subject, actor)',
    'create index notification_unread on notification (contributor, number) where is_read = 0',
    `create table notification_setting (
      contributor ${integer} primary key,
      muted ${text} not null,
      feed_hash ${text}
    )`,
    'create unique index notification_feed on notification_setting (feed_hash)',
    ...notifications,
  ],
};
