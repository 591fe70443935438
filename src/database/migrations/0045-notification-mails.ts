import type { Migration } from '../migrate.ts';

/** See gallery/notifications/mails.ts. */
export const notificationMails: Migration = {
  name: 'notification mails',
  statements: ({ integer, text }) => [
    `alter table notification_setting add column mail ${text}`,
    `alter table notification_setting add column mailed ${integer} not null default 0`,
    `alter table notification_setting add column next_mail ${integer} not null default 0`,
  ],
};
