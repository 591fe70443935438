// The change log, and who is told of changes.

import { constrain, integer, changeTable as logTable, nullable, text } from '#sql';
import { table } from '../declare-table.ts';
import { isDeletion } from './deletions.ts';

export { changeHeadTable } from '#sql';

/** The change log. */
export const changeTable: typeof logTable = {
  ...logTable,
  hasReadableView: true,
  indexes: [...(logTable.indexes ?? []), `change_of_deletion (sequence) where ${isDeletion}`],
};

/**
 * Files with the oldest changes, of which only some are in `change`: `hash` is that of the file, `change_hash` that of its last
 * change. See docs/decisions/0104-archived-changes.md.
 */
export const changeArchiveTable = table(
  'change_archive',
  ['last'],
  { last: integer(), first: integer(), hash: text(), bytes: integer(), change_hash: text() },
  { indexes: ['change_archive_by_hash (hash)'] },
);

/** One row: the last change after which deleted data was overwritten. */
export const overwrittenTable = table(
  'overwritten',
  [],
  { sequence: integer() },
  { firstRow: '(sequence) select last from change_head' },
);

/**
 * `number` is that of the change that it tells of, `subject` that of the change's row. `actor` is null for decisions.
 * The databases write the rows together with the entries of the change log. Nobody is notified twice of the same: a
 * rating that was withdrawn and given again, a copy that was published again.
 */
export const notificationTable = table(
  'notification',
  ['contributor', 'number'],
  {
    contributor: integer(),
    number: integer(),
    kind: text(),
    subject: integer(),
    actor: nullable(integer()),
    created: integer(),
    is_read: integer(),
  },
  {
    whenOwnerLeaves: 'deleted',
    indexes: [
      'unique notification_once (contributor, kind, subject, actor)',
      'notification_unread (contributor, number) where is_read = 0',
    ],
  },
);

/**
 * `muted` has the kinds that they do not want. `feed_hash` is of the secret in the feed's address; null without one.
 * `mail` is how often they get mails, null until they choose. `mailed` is the number up to which they were mailed, and
 * `next_mail` when the next mail may come.
 */
export const notificationSettingTable = table(
  'notification_setting',
  ['contributor'],
  {
    contributor: integer(),
    muted: text(),
    feed_hash: nullable(text()),
    mail: nullable(text()),
    mailed: constrain(integer(), { default: 0 }),
    next_mail: constrain(integer(), { default: 0 }),
  },
  { whenOwnerLeaves: 'deleted', indexes: ['unique notification_feed (feed_hash)'] },
);
