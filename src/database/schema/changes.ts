// The change log, and who is told of changes.

import { constrain, identity, integer, nullable, reference, table, text } from '../columns.ts';
import { isDeletion } from '../deletions.ts';
import { accountTable } from './accounts.ts';

/**
 * One row for each change, in commit order. `owner` is the contributor whose row was changed; `listed` is 1 if visitors'
 * listings had it before or after the change; the hash covers the one before: see ../change-hash.ts.
 */
export const changeTable = table(
  'change',
  ['sequence'],
  {
    sequence: integer(),
    at: integer(),
    actor: nullable(integer()),
    action: text(),
    kind: text(),
    subject: integer(),
    record: text(),
    owner: nullable(integer()),
    listed: integer(),
    hash: text(),
  },
  {
    indexes: [
      'change_by_subject (kind, subject, sequence)',
      `change_of_deletion (sequence) where ${isDeletion}`,
    ],
  },
);

/** One row: the last sequence number of the change log, and its hash. A writer holds it until its commit. */
export const changeHeadTable = table(
  'change_head',
  [],
  { last: integer(), hash: text() },
  { firstRow: "(last, hash) values (0, '')" },
);

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

/**
 * See docs/decisions/0063-webhooks.md. The columns after `disabled_reason` are written by the process that delivers:
 * everything up to the change `position` was dealt with, `failures` and `failing_since` are about the request that fails.
 * `concurrency` is how many requests may be under way, `batch_size` how many events one has.
 */
export const webhookTable = table(
  'webhook',
  ['id'],
  {
    id: identity(),
    contributor: reference(accountTable),
    url: text(),
    origin: text(),
    events: text(),
    filter: text(),
    secret: text(),
    previous_secret: nullable(text()),
    previous_secret_until: nullable(integer()),
    created: integer(),
    disabled: nullable(integer()),
    disabled_reason: nullable(text()),
    position: integer(),
    failures: integer(),
    failing_since: nullable(integer()),
    next_attempt: integer(),
    last_success: nullable(integer()),
    concurrency: constrain(integer(), { default: 1 }),
    batch_size: constrain(integer(), { default: 1 }),
  },
  { whenOwnerLeaves: 'own rules', loggedAs: 'webhook', indexes: ['webhook_by_contributor (contributor)'] },
);

/** The newest for each webhook. `status` is null without a response. `sequence` is 0 for a test. */
export const webhookAttemptTable = table(
  'webhook_attempt',
  ['id'],
  {
    id: identity(),
    webhook: reference(webhookTable),
    sequence: integer(),
    at: integer(),
    status: nullable(integer()),
    error: text(),
    milliseconds: integer(),
    request: text(),
    response: text(),
  },
  { indexes: ['webhook_attempt_by_webhook (webhook, id)'] },
);

/** Changes that were not delivered in time. */
export const webhookDeadLetterTable = table('webhook_dead_letter', ['webhook', 'sequence'], {
  webhook: reference(webhookTable),
  sequence: integer(),
  at: integer(),
});

/** Requests to send the changes after one number up to another again; -1 and 0 for a test. */
export const webhookRedeliveryTable = table(
  'webhook_redelivery',
  ['id'],
  {
    id: integer(),
    webhook: reference(webhookTable),
    after: integer(),
    last: integer(),
  },
  { indexes: ['webhook_redelivery_by_webhook (webhook)'] },
);
