import { integer, nullable, table, text } from './columns.ts';

/** `number` is that of the change that it tells of, `subject` that of the change's row. `actor` is null for decisions. */
export const notificationTable = table('notification', ['contributor', 'number'], {
  contributor: integer(),
  number: integer(),
  kind: text(),
  subject: integer(),
  actor: nullable(integer()),
  created: integer(),
  is_read: integer(),
});

/**
 * `muted` has the kinds that they do not want. `feed_hash` is of the secret in the feed's address; null without one.
 * `mail` is how often they get mails, null until they choose. `mailed` is the number up to which they were mailed, and
 * `next_mail` when the next mail may come.
 */
export const notificationSettingTable = table('notification_setting', ['contributor'], {
  contributor: integer(),
  muted: text(),
  feed_hash: nullable(text()),
  mail: nullable(text()),
  mailed: integer(),
  next_mail: integer(),
});
